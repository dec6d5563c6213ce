import { task, taskId } from './examples';
import type { Operation, Parameter } from './operation';

const tag = 'Online repair';
const params: Record<string, Parameter> = {
  taskId: { what: 'The key to the task: 128 random bits, told to nobody else.', example: taskId },
};
const piecesParams: Record<string, Parameter> = {
  id: { what: 'Number of the upload, as its address has it.', example: 'c'.repeat(64) },
};
const piecesHeaders: Record<string, Parameter> = {
  'tus-resumable': { what: 'Version of the protocol.', example: '1.0.0', required: true },
  'upload-ticket': { what: 'From the fields of the upload.', example: `1800000000.${'d'.repeat(64)}`, required: true },
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
    detail:
      'The form takes the fields first and the part named `file` last. A large file gets `method` TUS instead: an upload that goes on after a break (tus 1.0, begun already) at `url`, whose requests carry the fields as headers. Asked again with its `taskId`, it gets new fields and goes on where it was.',
    query: {
      type: {
        what: 'Video 17, file 18, photo 19.',
        example: '18',
        required: true,
        schema: { enum: ['17', '18', '19'] },
      },
      fileName: { what: 'Its ending says the format.', example: 'report.pdf', required: true },
      fileSize: { what: 'Bytes.', example: '48213', required: true, schema: { pattern: '^\\d+$' } },
      taskId: { what: 'The key of an upload that goes on; left out for a new one.', example: '' },
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
    refusals: ['invalidRequest', 'forbidden', 'stalled', 'conflict', 'expired', 'tooLarge', 'unsupportedType'],
    examples: [{ title: 'Arrived', obj: null }],
  },
  {
    method: 'head',
    path: '/oss/resumable/{id}',
    id: 'readResumable',
    tag,
    summary: 'How much of a large upload has arrived',
    detail: 'As in tus 1.0: `Upload-Offset` and `Upload-Length` say it in bytes.',
    params: piecesParams,
    headers: piecesHeaders,
    answer: 'Nothing',
    refusals: ['forbidden', 'expired'],
    examples: [],
  },
  {
    method: 'patch',
    path: '/oss/resumable/{id}',
    id: 'sendResumable',
    tag,
    summary: 'Brings more of a large upload',
    detail:
      'As in tus 1.0: 204 with the new `Upload-Offset`. 403 means that the ticket is over: `GET /oss/signature` with the `taskId` gives a new one. 409 means another offset: ask how much has arrived.',
    params: piecesParams,
    headers: { ...piecesHeaders, 'upload-offset': { what: 'Where these bytes begin.', example: '0', required: true } },
    form: { type: 'application/offset+octet-stream', what: 'Bytes of the file.' },
    answer: 'Nothing',
    refusals: ['forbidden', 'conflict', 'expired', 'tooLarge', 'unsupportedType'],
    examples: [],
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
