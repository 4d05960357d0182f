-- Copies of what device twins say, which the server makes again after a crash of the database, so that a reading writes
-- nothing of this table and its indexes to the write-ahead log.
alter table device_values set unlogged;
--> statement-breakpoint
CREATE UNLOGGED TABLE "device_values_filled" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL
);
--> statement-breakpoint
insert into device_values_filled default values;
