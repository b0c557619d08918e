CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`shown` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_tenant` ON `api_keys` (`tenant`);--> statement-breakpoint
CREATE TABLE `collection_documents` (
	`tenant` text NOT NULL,
	`collection_id` text NOT NULL,
	`document_id` text NOT NULL,
	`document_hash` text NOT NULL,
	`title` text,
	`url` text,
	`published_at` text,
	`weight` real,
	`characters` integer NOT NULL,
	`key_points` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`collection_id`, `document_id`),
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant`,`document_hash`) REFERENCES `documents`(`tenant`,`hash`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `collection_documents_hash` ON `collection_documents` (`tenant`,`document_hash`);--> statement-breakpoint
CREATE TABLE `collections` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`name` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `collections_tenant` ON `collections` (`tenant`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`tenant` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`digest_id` text,
	`status` integer,
	`headers` text,
	`body` text,
	`owner` text,
	`locked_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_created_at` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `job_checkpoints` (
	`tenant` text NOT NULL,
	`job_id` text NOT NULL,
	`stage` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`job_id`, `stage`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `job_events` (
	`tenant` text NOT NULL,
	`job_id` text NOT NULL,
	`number` integer NOT NULL,
	`event` text NOT NULL,
	`data` text,
	PRIMARY KEY(`job_id`, `number`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`state` text NOT NULL,
	`priority` integer NOT NULL,
	`attempt` integer DEFAULT 0 NOT NULL,
	`retries` integer NOT NULL,
	`crashes` integer DEFAULT 0 NOT NULL,
	`owner` text,
	`lease_until` integer,
	`not_before` integer NOT NULL,
	`progress` text,
	`problem` text,
	`callback_url` text,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`id`) REFERENCES `digests`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `jobs_next` ON `jobs` (`state`,`priority`,`created_at`);--> statement-breakpoint
CREATE INDEX `jobs_tenant` ON `jobs` (`tenant`,`state`);--> statement-breakpoint
CREATE TABLE `tenants` (
	`tenant` text PRIMARY KEY NOT NULL,
	`webhook_secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`digest_id` text NOT NULL,
	`url` text NOT NULL,
	`payload` text NOT NULL,
	`state` text NOT NULL,
	`attempt` integer DEFAULT 0 NOT NULL,
	`not_before` integer NOT NULL,
	`outcome` text,
	`created_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `webhooks_next` ON `webhooks` (`state`,`not_before`);--> statement-breakpoint
CREATE INDEX `webhooks_tenant` ON `webhooks` (`tenant`);--> statement-breakpoint
-- What refers to a table goes before it and comes back after it: where foreign keys are always on, as on D1, dropping a table
-- would take along the rows that refer to it.
CREATE TABLE `__old_digest_documents` AS SELECT * FROM `digest_documents`;--> statement-breakpoint
DROP TABLE `digest_documents`;--> statement-breakpoint
CREATE TABLE `__old_extractions` AS SELECT * FROM `extractions`;--> statement-breakpoint
DROP TABLE `extractions`;--> statement-breakpoint
CREATE TABLE `__new_encodings` (
	`tenant` text NOT NULL,
	`text_hash` text NOT NULL,
	`encoder` text NOT NULL,
	`sentence` blob NOT NULL,
	`tokens` blob NOT NULL,
	`token_ids` blob NOT NULL,
	`used_on` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`tenant`, `text_hash`, `encoder`)
);
--> statement-breakpoint
INSERT INTO `__new_encodings`("tenant", "text_hash", "encoder", "sentence", "tokens", "token_ids", "used_on") SELECT 'default', "text_hash", "encoder", "sentence", "tokens", "token_ids", unixepoch() / 86400 FROM `encodings`;--> statement-breakpoint
DROP TABLE `encodings`;--> statement-breakpoint
ALTER TABLE `__new_encodings` RENAME TO `encodings`;--> statement-breakpoint
CREATE INDEX `encodings_used_on` ON `encodings` (`used_on`);--> statement-breakpoint
CREATE TABLE `__new_digests` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`status` text NOT NULL,
	`request` text,
	`answer` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_digests`("id", "tenant", "status", "request", "answer", "created_at") SELECT "id", 'default', "status", NULL, "answer", "created_at" FROM `digests`;--> statement-breakpoint
DROP TABLE `digests`;--> statement-breakpoint
ALTER TABLE `__new_digests` RENAME TO `digests`;--> statement-breakpoint
CREATE INDEX `digests_created_at` ON `digests` (`created_at`);--> statement-breakpoint
CREATE INDEX `digests_tenant` ON `digests` (`tenant`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `__new_documents` (
	`tenant` text NOT NULL,
	`hash` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`tenant`, `hash`)
);
--> statement-breakpoint
INSERT INTO `__new_documents`("tenant", "hash", "text", "created_at", "used_at") SELECT 'default', "hash", "text", "created_at", unixepoch() * 1000 FROM `documents`;--> statement-breakpoint
DROP TABLE `documents`;--> statement-breakpoint
ALTER TABLE `__new_documents` RENAME TO `documents`;--> statement-breakpoint
CREATE INDEX `documents_used_at` ON `documents` (`used_at`);--> statement-breakpoint
CREATE TABLE `digest_documents` (
	`tenant` text NOT NULL,
	`digest_id` text NOT NULL,
	`document_id` text NOT NULL,
	`document_hash` text NOT NULL,
	PRIMARY KEY(`digest_id`, `document_id`),
	FOREIGN KEY (`digest_id`) REFERENCES `digests`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant`,`document_hash`) REFERENCES `documents`(`tenant`,`hash`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `digest_documents`("tenant", "digest_id", "document_id", "document_hash") SELECT 'default', "digest_id", "document_id", "document_hash" FROM `__old_digest_documents`;--> statement-breakpoint
DROP TABLE `__old_digest_documents`;--> statement-breakpoint
CREATE INDEX `digest_documents_hash` ON `digest_documents` (`tenant`,`document_hash`);--> statement-breakpoint
CREATE TABLE `extractions` (
	`tenant` text NOT NULL,
	`document_hash` text NOT NULL,
	`extractor` text NOT NULL,
	`language` text NOT NULL,
	`words` integer NOT NULL,
	`key_points` text NOT NULL,
	`unverified` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant`, `document_hash`, `extractor`),
	FOREIGN KEY (`tenant`,`document_hash`) REFERENCES `documents`(`tenant`,`hash`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `extractions`("tenant", "document_hash", "extractor", "language", "words", "key_points", "unverified", "created_at") SELECT 'default', "document_hash", "extractor", "language", "words", "key_points", "unverified", "created_at" FROM `__old_extractions`;--> statement-breakpoint
DROP TABLE `__old_extractions`;