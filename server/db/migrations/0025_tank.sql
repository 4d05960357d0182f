ALTER TABLE "health_days" ADD COLUMN "tank_n" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "health_days" ADD COLUMN "tank_sum" double precision DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "health_days" ADD COLUMN "tank_squares" double precision DEFAULT 0 NOT NULL;
