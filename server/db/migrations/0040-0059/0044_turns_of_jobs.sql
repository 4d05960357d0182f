ALTER TABLE "jobs" ADD COLUMN "next_turn_at" timestamp (3) with time zone;
