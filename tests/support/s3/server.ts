import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import busboy from 'busboy';
import { faultOfForm, faultOfRequest, S3_KEY, type S3Fault } from './signature';

/** A store for tests: an S3 server of the registry behind a checker that lets through only what the real service would. */
export type TestStore = {
  endpoint: string;
  /** Variables that have the product use it. */
  variables: Record<string, string>;
  /** Requests that came, as `METHOD key`; those that a browser or the product sent. */
  seen: string[];
  /** Moves the store's clock. */
  pass(milliseconds: number): void;
  /** Has so many requests of a method fail, after some that do not, as a store that falls ill does. */
  fail(method: string, times: number, after?: number): void;
  close(): Promise<void>;
};

const BUCKET = 'mendara-test';

type Part = { number: number; etag: string; size: number };
type State = {
  back: number;
  offset: number;
  failing: Map<string, { times: number; after: number }>;
  seen: string[];
  /** What the server behind does not keep: settings of the bucket, and the parts of an upload. */
  settings: Map<string, string>;
  parts: Map<string, Part[]>;
};

/** Starts both; the server behind keeps its files in a folder of its own. */
export async function startTestStore(): Promise<TestStore> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mendara-s3-'));
  const back = await freePort();
  const program = path.resolve('node_modules/s3rver/bin/s3rver.js');
  const child = spawn(
    process.execPath,
    [
      program,
      '-s',
      '-d',
      folder,
      '-a',
      '127.0.0.1',
      '-p',
      String(back),
      '--no-vhost-buckets',
      '--configure-bucket',
      BUCKET,
    ],
    { stdio: 'ignore' },
  );
  await patiently(() => fetch(`http://127.0.0.1:${back}/`));
  const state: State = { back, offset: 0, failing: new Map(), seen: [], settings: new Map(), parts: new Map() };
  const server = http.createServer((request, response) => {
    answer(state, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    variables: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: S3_KEY.accessKeyId,
      S3_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey,
    },
    seen: state.seen,
    pass: (milliseconds) => {
      state.offset += milliseconds;
    },
    fail: (method, times, after = 0) => state.failing.set(method, { times, after }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await ended(child);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const now = new Date(Date.now() + state.offset);
  response.setHeader('date', now.toUTCString());
  const { method = '', url = '/' } = request;
  const { pathname, searchParams } = new URL(url, 'http://store');
  const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
  state.seen.push(`${method} ${key}`);
  if (!allowOrigin(state, request, response))
    return refuse(response, { status: 403, code: 'AccessForbidden', message: 'CORS' });
  if (method === 'OPTIONS') return void response.writeHead(200).end();
  const failing = state.failing.get(method) ?? { times: 0, after: 0 };
  if (failing.after > 0) failing.after -= 1;
  else if (failing.times > 0) {
    failing.times -= 1;
    return refuse(response, { status: 500, code: 'InternalError', message: 'The store is ill.' });
  }
  if (method === 'POST' && /^multipart\/form-data/.test(request.headers['content-type'] ?? '')) {
    return takeForm(state, request, response, now);
  }
  const wrong = faultOfRequest(request, now);
  if (wrong) return refuse(response, wrong);
  const setting = ['lifecycle', 'cors'].find((name) => searchParams.has(name));
  if (setting) return keepSetting(state, setting, request, response);
  const uploadId = searchParams.get('uploadId');
  if (uploadId && method === 'GET') return listParts(state, uploadId, key, response);
  if (uploadId && method === 'DELETE') {
    state.parts.delete(uploadId);
    return void response.writeHead(204).end();
  }
  const body = await bodyOf(request);
  const answered = await forward(state, request, body);
  if (uploadId && method === 'PUT')
    note(state, uploadId, Number(searchParams.get('partNumber')), body, answered.headers.etag);
  if (uploadId && method === 'POST') state.parts.delete(uploadId);
  if (method === 'POST' && searchParams.has('uploads')) {
    state.parts.set(/<UploadId>([^<]+)/.exec(answered.body.toString())?.[1] ?? '', []);
  }
  delete answered.headers.date;
  response.writeHead(answered.status, answered.headers).end(answered.body);
}

/** Cross-origin reads and writes are for the origins of the bucket's own rules; programs send no origin. */
function allowOrigin(state: State, request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers;
  if (!origin) return true;
  const rules = state.settings.get('cors') ?? '';
  const method = request.headers['access-control-request-method'] ?? request.method;
  if (!rules.includes(`<AllowedOrigin>${origin}</AllowedOrigin>`) || !rules.includes(`<AllowedMethod>${method}<`))
    return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-methods', 'POST, GET, HEAD');
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*');
  return true;
}

async function takeForm(state: State, request: IncomingMessage, response: ServerResponse, now: Date): Promise<void> {
  const fields = new Map<string, string>();
  const pieces: Buffer[] = [];
  await new Promise((resolve, reject) => {
    const form = busboy({ headers: request.headers });
    // Names of fields count in any case.
    form.on('field', (name, value) => fields.set(name.toLowerCase(), value));
    form.on('file', (_name, file) => file.on('data', (piece: Buffer) => pieces.push(piece)));
    form.on('close', resolve);
    form.on('error', reject);
    request.on('error', reject);
    request.on('aborted', () => reject(new Error('cut off')));
    request.pipe(form);
  });
  const file = Buffer.concat(pieces);
  const wrong = faultOfForm(fields, file.length, now);
  if (wrong) return refuse(response, wrong);
  // The server behind would take a form that was tampered with, too; it gets the file and its own signature.
  const stored = await store(state, fields.get('key') ?? '', file, fields.get('content-type') ?? '');
  response.writeHead(stored === 200 ? 204 : stored).end();
}

async function store({ back }: State, key: string, body: Buffer, type: string): Promise<number> {
  const { PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${back}`,
    region: 'eu-central-1',
    forcePathStyle: true,
    credentials: S3_KEY,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const { $metadata } = await client.send(
    new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: body, ContentType: type }),
  );
  return $metadata.httpStatusCode ?? 500;
}

async function keepSetting(
  state: State,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const kept = state.settings.get(name);
  if (request.method === 'PUT') {
    state.settings.set(name, (await bodyOf(request)).toString());
    response.writeHead(200).end();
  } else if (kept) response.writeHead(200, { 'content-type': 'application/xml' }).end(kept);
  else {
    const code = name === 'cors' ? 'NoSuchCORSConfiguration' : 'NoSuchLifecycleConfiguration';
    refuse(response, { status: 404, code, message: 'There is none.' });
  }
}

function note(state: State, uploadId: string, number: number, body: Buffer, etag: unknown): void {
  const others = (state.parts.get(uploadId) ?? []).filter((part) => part.number !== number);
  const parts = [...others, { number, etag: String(etag), size: body.length }];
  state.parts.set(
    uploadId,
    parts.sort((a, b) => a.number - b.number),
  );
}

function listParts(state: State, uploadId: string, key: string, response: ServerResponse): void {
  const parts = state.parts.get(uploadId);
  if (!parts) {
    refuse(response, { status: 404, code: 'NoSuchUpload', message: 'There is no such upload.' });
    return;
  }
  const rows = parts.map(
    ({ number, etag, size }) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${size}</Size></Part>`,
  );
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(
      `<?xml version="1.0"?><ListPartsResult><Bucket>${BUCKET}</Bucket><Key>${key}</Key><UploadId>${uploadId}</UploadId><IsTruncated>false</IsTruncated>${rows.join('')}</ListPartsResult>`,
    );
}

function refuse(response: ServerResponse, { status, code, message }: S3Fault): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

type Answered = { status: number; headers: http.IncomingHttpHeaders; body: Buffer };

/** The host stays as it was asked for: it is signed. */
function forward({ back }: State, request: IncomingMessage, body: Buffer): Promise<Answered> {
  const { method, url, headers } = request;
  return new Promise((resolve, reject) => {
    const asked = http.request({ host: '127.0.0.1', port: back, method, path: url, headers }, (answered) => {
      bodyOf(answered).then((text) => {
        const { 'transfer-encoding': _chunked, ...rest } = answered.headers;
        resolve({ status: answered.statusCode ?? 500, headers: rest, body: text });
      }, reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries > 150) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill();
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = http.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
