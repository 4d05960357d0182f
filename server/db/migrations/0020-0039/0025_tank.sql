ALTER TABLE "health_days" ADD COLUMN "tank_runs" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "health_days" ADD COLUMN "tank_litres" double precision DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "health_days" ADD COLUMN "tank_relief" double precision DEFAULT 0 NOT NULL;
