CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant` text NOT NULL,
	`collection_id` text NOT NULL,
	`request` text NOT NULL,
	`is_paused` integer DEFAULT 0 NOT NULL,
	`changed_at` integer,
	`quiet_since` integer,
	`last_run` text,
	`digest_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `subscriptions_quiet` ON `subscriptions` (`quiet_since`);--> statement-breakpoint
CREATE INDEX `subscriptions_collection` ON `subscriptions` (`collection_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_tenant` ON `subscriptions` (`tenant`,`created_at`,`id`);