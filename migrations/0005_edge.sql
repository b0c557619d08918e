CREATE TABLE `chores` (
	`tenant` text NOT NULL,
	`name` text NOT NULL,
	`place` text NOT NULL,
	PRIMARY KEY(`tenant`, `name`)
);
--> statement-breakpoint
CREATE TABLE `digest_parts` (
	`tenant` text NOT NULL,
	`digest_id` text NOT NULL,
	`kind` text NOT NULL,
	`part` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`digest_id`, `kind`, `part`),
	FOREIGN KEY (`digest_id`) REFERENCES `digests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `document_parts` (
	`tenant` text NOT NULL,
	`document_hash` text NOT NULL,
	`kind` text NOT NULL,
	`part` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`tenant`, `document_hash`, `kind`, `part`),
	FOREIGN KEY (`tenant`,`document_hash`) REFERENCES `documents`(`tenant`,`hash`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `digests` ADD `answer_parts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `documents` ADD `parts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `extractions` ADD `parts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `job_checkpoints` ADD `parts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `is_trimmed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_ended` ON `jobs` (`is_trimmed`,`ended_at`);