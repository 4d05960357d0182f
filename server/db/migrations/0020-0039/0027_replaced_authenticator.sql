ALTER TABLE "second_factors" ADD COLUMN "next_key" text;
--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "next_key_id" text;
--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "next_session" text;
--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "next_expires_at" timestamp (3) with time zone;
