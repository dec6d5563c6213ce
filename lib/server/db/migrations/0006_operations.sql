CREATE TABLE "audit_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"act" text NOT NULL,
	"subject" text NOT NULL,
	"result" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "health_checks" (
	"node" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "repair_counts" (
	"format" text NOT NULL,
	"verdict" text NOT NULL,
	"repairs" bigint NOT NULL,
	CONSTRAINT "repair_counts_format_verdict_pk" PRIMARY KEY("format","verdict")
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "request_id" text;--> statement-breakpoint
CREATE INDEX "audit_log_at_index" ON "audit_log" USING btree ("at");