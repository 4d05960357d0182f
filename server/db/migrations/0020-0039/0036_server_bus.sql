ALTER TABLE "servers" ADD COLUMN "bus" text;--> statement-breakpoint
ALTER TABLE "servers" ADD COLUMN "bus_state" text;
