CREATE TABLE `judgements` (
	`tenant` text NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`verdict` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_on` integer NOT NULL,
	PRIMARY KEY(`tenant`, `key`)
);
--> statement-breakpoint
CREATE INDEX `judgements_used_on` ON `judgements` (`used_on`);