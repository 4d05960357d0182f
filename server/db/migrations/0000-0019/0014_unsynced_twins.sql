-- The server remembers which twins it has to sync. Without the index, an update of a twin writes no index.
DROP INDEX "device_twins_unsynced";--> statement-breakpoint
ALTER TABLE "device_twins" DROP COLUMN "synced";
