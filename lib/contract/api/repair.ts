import { task, taskId } from './examples';
import type { Operation, Parameter } from './operation';

const tag = 'Online repair';
const params: Record<string, Parameter> = {
  taskId: { what: 'The key to the task: 128 random bits, told to nobody else.', example: taskId },
};
const report = {
  engineVersion: '1.0.0',
  verdict: 'repaired',
  format: 'pdf',
  summary: 'The table of contents of the file was rebuilt; nothing is lost.',
  notes: [],
  found: [{ kind: 'xref', detail: 'The cross-reference table is missing.', offset: 48000 }],
  steps: [{ name: 'rebuild-xref', detail: 'Found 12 objects by reading the whole file.' }],
  kept: [{ unit: 'pages', count: 3 }],
  rebuilt: [],
  lost: [],
  input: { bytes: 48213, sha256: 'a'.repeat(64) },
  output: { bytes: 48790, sha256: 'b'.repeat(64) },
  durationMs: 180,
};

export const repairing: Operation[] = [
  {
    method: 'get',
    path: '/oss/signature',
    id: 'signUpload',
    tag,
    summary: 'A place for one upload, with the signed form that fills it',
    detail: 'The form takes the fields first and the part named `file` last.',
    query: {
      type: {
        what: 'Video 17, file 18, photo 19.',
        example: '18',
        required: true,
        schema: { enum: ['17', '18', '19'] },
      },
      fileName: { what: 'Its ending says the format.', example: 'report.pdf', required: true },
      fileSize: { what: 'Bytes.', example: '48213', required: true, schema: { pattern: '^\\d+$' } },
    },
    answer: 'UploadSignature',
    refusals: ['tooLarge', 'unsupportedType', 'tooManyRequests', 'unavailable'],
    examples: [
      {
        title: 'A document',
        obj: {
          taskId,
          upload: {
            url: 'http://localhost:3000/api/v1/oss/upload',
            method: 'POST',
            fields: { key: 'c'.repeat(64), policy: 'eyJjb25kaXRpb25zIjpbXX0=' },
          },
          statusUrl: `http://localhost:3000/api/v1/repair/tasks/${taskId}`,
          expiresAt: task.expiresAt,
        },
      },
    ],
  },
  {
    method: 'post',
    path: '/oss/upload',
    id: 'upload',
    tag,
    summary: 'The signed form, with the file',
    form: { type: 'multipart/form-data', what: 'The signed fields, then the part `file`.' },
    answer: 'Nothing',
    refusals: ['invalidRequest', 'forbidden', 'conflict', 'expired', 'tooLarge', 'unsupportedType'],
    examples: [{ title: 'Arrived', obj: null }],
  },
  {
    method: 'get',
    path: '/repair/tasks',
    id: 'listRepairs',
    tag,
    summary: 'The visitor’s repairs that lie on the server',
    detail:
      'They count towards a share of the queue. A visitor is named by the cookie `visitor`, which the first answer sets for a day; their ids delete them, for this visitor, and open no file.',
    answer: 'OwnRepairs',
    examples: [{ title: 'None yet', obj: { most: 5, tasks: [] } }],
  },
  {
    method: 'post',
    path: '/repair/tasks/{taskId}',
    id: 'startRepair',
    tag,
    summary: 'Starts the repair of an uploaded file',
    detail: 'Started once, it stays started. With a sample, one that ended without its help is done again.',
    params,
    body: 'Start',
    answer: 'RepairTask',
    refusals: ['expired', 'conflict'],
    examples: [{ title: 'Start', body: {}, obj: task }],
  },
  {
    method: 'get',
    path: '/repair/tasks/{taskId}',
    id: 'readRepair',
    tag,
    summary: 'How a repair stands, with the written report at its end',
    params,
    answer: 'RepairTask',
    examples: [
      {
        title: 'Repaired',
        obj: {
          ...task,
          status: 'success',
          queuePosition: null,
          queueSeconds: null,
          report,
          downloadUrl: `http://localhost:3000/api/v1/repair/tasks/${taskId}/file`,
          downloadName: 'report-repaired.pdf',
        },
      },
    ],
  },
  {
    method: 'get',
    path: '/repair/tasks/{taskId}/file',
    id: 'readRepairedFile',
    tag,
    summary: 'The repaired file',
    params,
    answer: { file: 'application/octet-stream', what: 'The file; ranges are served.' },
    refusals: ['expired', 'conflict'],
  },
  {
    method: 'delete',
    path: '/repair/tasks/{taskId}',
    id: 'deleteRepair',
    tag,
    summary: 'Deletes upload, result and report at once',
    params,
    answer: 'Nothing',
    examples: [{ title: 'Deleted', obj: null }],
  },
];
