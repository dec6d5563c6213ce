ALTER TABLE "jobs" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "owner" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "turn" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "repair_tasks" ADD COLUMN "visitor" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "repair_tasks" ADD COLUMN "upload_lease_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "repair_tasks" ADD COLUMN "started_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "jobs_status_kind_turn_run_at_index" ON "jobs" USING btree ("status","kind","turn","run_at");--> statement-breakpoint
CREATE INDEX "jobs_owner_index" ON "jobs" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "repair_tasks_visitor_index" ON "repair_tasks" USING btree ("visitor");--> statement-breakpoint
CREATE INDEX "repair_tasks_finished_at_index" ON "repair_tasks" USING btree ("finished_at");