CREATE INDEX "events_of_creator" ON "events" USING btree ("created_by");
