CREATE TABLE "store_strays" (
	"area" text PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upload_locks" (
	"id" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"wanted" boolean NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "repair_tasks" ADD COLUMN "resumable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "repair_tasks_status_file_size_result_size_uploaded_at_index" ON "repair_tasks" USING btree ("status","file_size","result_size","uploaded_at") WHERE "repair_tasks"."status" <> 'deleted';