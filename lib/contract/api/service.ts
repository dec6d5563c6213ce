import type { Operation, Parameter } from './operation';

const tag = 'Service';
const facts = { size: 24576, sha256: 'd'.repeat(64), version: '4.1.0', demonstration: false };
const file = 'http://localhost:3000/api/v1/recovery/files/recovery-win.exe';

const fromHeaders: Record<string, Parameter> = {
  website: { what: 'The brand: recovery, duplicate or whatsapp.', example: 'recovery' },
  phone_os: { what: 'Windows and other 2, Mac 3.', example: '2' },
};

export const service: Operation[] = [
  {
    method: 'get',
    path: '/recovery/downloader',
    id: 'readInstallerAddress',
    tag,
    summary: 'The installer’s address, for a brand and a system',
    detail: 'Both come as headers.',
    headers: fromHeaders,
    answer: 'WebAddress',
    refusals: ['notFound'],
    examples: [{ title: 'Data Recovery for Windows', obj: file }],
  },
  {
    method: 'get',
    path: '/recovery/installers',
    id: 'listInstallers',
    tag,
    summary: 'Version, size and SHA-256 of each installer',
    answer: 'InstallerRows',
    examples: [
      {
        title: 'One of them',
        obj: [{ website: 'recovery', os: 'win', fileName: 'mendara-data-recovery.exe', url: file, ...facts }],
      },
    ],
  },
  {
    method: 'get',
    path: '/recovery/files/{name}',
    id: 'readInstaller',
    tag,
    summary: 'An installer',
    params: { name: { what: 'The file.', example: 'recovery-win.exe' } },
    query: { uuid: { what: 'Becomes a part of the name under which it is saved.', example: '5b0e2a51' } },
    answer: { file: 'application/octet-stream', what: 'The installer; ranges are served.' },
  },
  {
    method: 'post',
    path: '/contact',
    id: 'sendMessage',
    tag,
    summary: 'A message to the support',
    body: 'Contact',
    answer: 'Nothing',
    refusals: ['tooManyRequests'],
    examples: [
      {
        title: 'A question',
        body: {
          name: 'Ann',
          email: 'ann@example.com',
          subject: 'Licence',
          message: 'May I move my licence to a new PC?',
        },
        obj: null,
      },
    ],
  },
  {
    method: 'post',
    path: '/event/track/log',
    id: 'logEvent',
    tag,
    summary: 'The event log, for visitors who agreed',
    detail: '`ip` and `ipCountryCode` are sent empty. Nobody waits for the answer.',
    body: 'EventLog',
    answer: 'Nothing',
    refusals: ['tooManyRequests'],
    examples: [
      {
        title: 'A page was viewed',
        body: {
          apkChannel: '',
          currDocument: 'http://localhost:3000/faq',
          domain: 'localhost',
          eventCode: 'page_view',
          eventType: 'view',
          extend: '{}',
          ip: '',
          ipCountryCode: '',
          marketingChannel: 'SEO',
          os: '2',
          prevDocument: '',
          trackId: '5b0e2a51-6a4c-4a8e-9a55-1f3c0d7f6b10',
          userId: '',
          version: '100',
        },
        obj: null,
      },
    ],
  },
  {
    method: 'get',
    path: '/health',
    id: 'readHealth',
    tag,
    summary: 'Whether the server can do its work',
    detail:
      'Ready means that a row of the database and a byte of the store were written, at most a second ago. Otherwise the answer is 503 and says what can’t be done.',
    query: {
      check: {
        what: '`live` asks only whether the process answers and touches nothing; `ready` is the same as none.',
        example: 'ready',
        schema: { enum: ['live', 'ready'] },
      },
    },
    answer: 'Health',
    refusals: ['unavailable'],
    examples: [
      {
        title: 'Well',
        obj: {
          status: 'ok',
          database: 'embedded',
          sandbox: null,
          ready: {
            database: 'written',
            store: 'written',
            disk: 'enough',
            queue: { waiting: 0, running: 0, oldestSeconds: 0 },
            pool: null,
          },
        },
      },
    ],
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'readDocument',
    tag,
    summary: 'This document',
    answer: {
      file: 'application/json',
      what: 'OpenAPI 3.1, made from the schemas that the server and the site check with.',
    },
  },
];
