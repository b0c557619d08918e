CREATE TABLE `experiment_events` (
	`tenant` text NOT NULL,
	`experiment` integer NOT NULL,
	`event` text NOT NULL,
	`version` integer NOT NULL,
	`subject` text NOT NULL,
	`metric` integer NOT NULL,
	`value` real NOT NULL,
	`denominator` real NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`tenant`, `experiment`, `event`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `experiment_exposures` (
	`tenant` text NOT NULL,
	`experiment` integer NOT NULL,
	`version` integer NOT NULL,
	`subject` text NOT NULL,
	`variant` integer NOT NULL,
	`exposed_at` integer NOT NULL,
	`overridden` integer NOT NULL,
	PRIMARY KEY(`tenant`, `experiment`, `version`, `subject`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `experiment_totals` (
	`tenant` text NOT NULL,
	`experiment` integer NOT NULL,
	`version` integer NOT NULL,
	`metric` integer NOT NULL,
	`variant` integer NOT NULL,
	`subject` text NOT NULL,
	`x` real NOT NULL,
	`x_low` real NOT NULL,
	`y` real NOT NULL,
	`y_low` real NOT NULL,
	`events` integer NOT NULL,
	PRIMARY KEY(`tenant`, `experiment`, `version`, `metric`, `variant`, `subject`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `experiments` (
	`tenant` text NOT NULL,
	`experiment` integer NOT NULL,
	`version` integer NOT NULL,
	`key` text NOT NULL,
	`definition` text NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`stopped_at` integer,
	`before_exposure` integer DEFAULT 0 NOT NULL,
	`after_stop` integer DEFAULT 0 NOT NULL,
	`overridden` integer DEFAULT 0 NOT NULL,
	`duplicates` integer DEFAULT 0 NOT NULL,
	`data_version` integer DEFAULT 0 NOT NULL,
	`kept` text,
	PRIMARY KEY(`tenant`, `experiment`, `version`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `experiments_key` ON `experiments` (`tenant`,`key`,`version`);--> statement-breakpoint
CREATE INDEX `experiments_stopped_at` ON `experiments` (`stopped_at`);