CREATE TABLE `digest_documents` (
	`digest_id` text NOT NULL,
	`document_id` text NOT NULL,
	`document_hash` text NOT NULL,
	PRIMARY KEY(`digest_id`, `document_id`),
	FOREIGN KEY (`digest_id`) REFERENCES `digests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`document_hash`) REFERENCES `documents`(`hash`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `digest_documents_hash` ON `digest_documents` (`document_hash`);--> statement-breakpoint
CREATE TABLE `digests` (
	`id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `digests_created_at` ON `digests` (`created_at`);--> statement-breakpoint
CREATE TABLE `documents` (
	`hash` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `encodings` (
	`text_hash` text NOT NULL,
	`encoder` text NOT NULL,
	`sentence` blob NOT NULL,
	`tokens` blob NOT NULL,
	`token_ids` blob NOT NULL,
	PRIMARY KEY(`text_hash`, `encoder`)
);
--> statement-breakpoint
CREATE TABLE `extractions` (
	`document_hash` text NOT NULL,
	`extractor` text NOT NULL,
	`language` text NOT NULL,
	`words` integer NOT NULL,
	`key_points` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`document_hash`, `extractor`),
	FOREIGN KEY (`document_hash`) REFERENCES `documents`(`hash`) ON UPDATE no action ON DELETE cascade
);
