ALTER TABLE "job_tasks" ADD COLUMN "device_vendor_id" text;
