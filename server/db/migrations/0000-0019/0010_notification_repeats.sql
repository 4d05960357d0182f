-- How many notifications of the same device and type were not stored because the device had made too many within a day.
ALTER TABLE "notifications" ADD COLUMN "repeats" integer DEFAULT 0 NOT NULL;
