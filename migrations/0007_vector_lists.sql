CREATE TABLE `vector_lists` (
	`tenant` text NOT NULL,
	`key` text NOT NULL,
	`encoder` text NOT NULL,
	`vectors` blob NOT NULL,
	`used_on` integer NOT NULL,
	PRIMARY KEY(`tenant`, `key`, `encoder`)
);
--> statement-breakpoint
CREATE INDEX `vector_lists_used_on` ON `vector_lists` (`used_on`);