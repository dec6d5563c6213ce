/** Type codes of the online tools (specification section 2). */
export const toolTypes = { video: 17, file: 18, photo: 19 } as const;
export type ToolType = (typeof toolTypes)[keyof typeof toolTypes];

/** Query of `GET /oss/signature`. */
export type SignatureRequest = { type: ToolType; fileName: string; fileSize: number };

/** `obj` of `GET /oss/signature`: a form POST, fields first and the part named `file` last. Times are ISO 8601 in UTC. */
export type UploadSignature = {
  taskId: string;
  upload: { url: string; method: 'POST'; fields: Record<string, string> };
  statusUrl: string;
  expiresAt: string;
};

/** States of a repair task. */
const taskStatuses = ['uploading', 'waiting', 'running', 'success', 'failure', 'deleted'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** The four verdicts of the contract. */
const verdicts = ['healthy', 'repaired', 'partly', 'unrepairable'] as const;
export type Verdict = (typeof verdicts)[number];

/** One kind of damage: what it is in plain words, and where it begins in the input, in bytes. */
export type Finding = { kind: string; detail: string; offset: number | null };

/** One step of the repair and what it did. */
export type RepairStep = { name: string; detail: string };

/** An amount in the format's own units: pages, words, sheets, slides, blocks, frames. */
export type Measure = { unit: string; count: number; detail?: string | undefined };

/** The written report of a repair, as the engine makes it and the result screen shows it. */
export type RepairReport = {
  engineVersion: string;
  verdict: Verdict;
  /** Detected format, lower-case extension such as `pdf` or `docx`; null when nothing was recognised. */
  format: string | null;
  /** One sentence for a person. */
  summary: string;
  /** Things a person should know: renamed type, password protection, what was guessed. */
  notes: string[];
  found: Finding[];
  steps: RepairStep[];
  kept: Measure[];
  rebuilt: Measure[];
  lost: Measure[];
  /** A working video from the same camera would help (videos without their index). */
  wantsSample?: boolean | undefined;
  input: { bytes: number; sha256: string };
  output: { bytes: number; sha256: string } | null;
  durationMs: number;
};

/**
 * Body of `POST /repair/tasks/{taskId}`, which may be left out: the task id of an uploaded, working video from the same
 * camera. A failed repair is done again with it.
 */
export type StartRequest = { sampleTaskId?: string | undefined };

/** `obj` of `GET /repair/tasks/{taskId}`. */
export type RepairTask = {
  taskId: string;
  type: ToolType;
  fileName: string;
  fileSize: number;
  status: TaskStatus;
  queuePosition: number | null;
  /** About how long it waits for its turn, in seconds; null or left out where nothing tells. */
  queueSeconds?: number | null | undefined;
  report: RepairReport | null;
  downloadUrl: string | null;
  /** Name under which the repaired file is offered. */
  downloadName: string | null;
  expiresAt: string;
};

/** `obj` of `GET /repair/tasks`: what counts towards a visitor's share. `id` deletes one, for that visitor; it opens no file. */
export type OwnRepairs = {
  most: number;
  tasks: {
    id: string;
    type: ToolType;
    fileName: string;
    fileSize: number;
    status: TaskStatus;
    createdAt: string;
    expiresAt: string;
  }[];
};
