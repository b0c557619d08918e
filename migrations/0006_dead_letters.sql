DROP INDEX `webhooks_tenant`;--> statement-breakpoint
CREATE INDEX `webhooks_tenant` ON `webhooks` (`tenant`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `jobs` ADD `run` integer DEFAULT 1 NOT NULL;