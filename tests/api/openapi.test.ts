import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv2020 from 'ajv/dist/2020';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '@/lib/contract/api';
import { openApiDocument } from '@/lib/contract/api/document';
import type { Example, Operation, Parameter } from '@/lib/contract/api/operation';
import { apiRoutes } from '@/lib/server/http/api';
import { startApi, type TestApi, ways } from './harness/api';
import { type Live, prepare } from './harness/example-calls';

const document = openApiDocument();
type Node = Record<string, unknown>;

/** The named schemas, for a check that takes no field for granted that the document does not name. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const made = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return 'properties' in made && !('additionalProperties' in made) ? { ...made, additionalProperties: false } : made;
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ $id: 'document', components: closed(document.components) });

/** What is wrong with a value by a named schema. */
function misfits(name: string, value: unknown): unknown[] {
  const check = ajv.compile({ $ref: `document#/components/schemas/${name}` });
  check(value);
  return check.errors ?? [];
}

const titled = operations.flatMap((operation) =>
  (operation.examples ?? [{ title: 'as it stands' }]).map((example, index) => ({
    name: `${operation.id}: ${example.title}`,
    operation,
    example,
    index,
  })),
);

describe('the document of the API', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(JSON.stringify(document)) as Node);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('has every address of the table with every method of it, and no other', () => {
    const served = Object.entries(apiRoutes).flatMap(([address, handlers]) =>
      Object.keys(handlers).map((method) => `${method} ${address}`),
    );
    const described = Object.entries(document.paths).flatMap(([address, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${address}`),
    );
    expect(described.sort()).toEqual(served.sort());
  });

  it('names each operation once, and each parameter of its path', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path: address, params = {} } of operations) {
      expect(Object.keys(params)).toEqual([...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  });

  it.each(titled)('gives an example that its own schemas take: $name', ({ operation, example }) => {
    if (operation.body) expect(misfits(operation.body, example.body)).toEqual([]);
    if (typeof operation.answer === 'string') expect(misfits(operation.answer, example.obj)).toEqual([]);
  });

  it('takes nothing that the schemas don’t say', () => {
    expect(misfits('SessionCheck', { id: 'a', email: 'b', more: 1 })).not.toEqual([]);
    expect(misfits('PayAnswer', {})).not.toEqual([]);
  });
});

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** An example's request with what only the server can have given out. */
async function send(api: TestApi, operation: Operation, example: Example, index: number): Promise<Response> {
  const given = (example.body ?? {}) as Record<string, unknown>;
  const live: Live = (await prepare[operation.id]?.(api, index, given)) ?? {};
  const values = (about: Record<string, Parameter> = {}) =>
    Object.fromEntries(Object.entries(about).map(([name, { example: value }]) => [name, value]));
  const params: Record<string, string> = { ...values(operation.params), ...live.params };
  const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const query = new URLSearchParams({ ...values(operation.query), ...live.query }).toString();
  return api.send(operation.method.toUpperCase(), query ? `${address}?${query}` : address, {
    headers: { ...lowerCase(values(operation.headers)), ...live.headers },
    ...(live.rawBody ? { rawBody: live.rawBody } : operation.body ? { body: { ...given, ...live.body } } : {}),
    ...(live.token ? { token: live.token } : {}),
  });
}

describe.each(ways)('every example of the document, by the %s', (way) => {
  let api: TestApi;
  beforeAll(async () => {
    process.env.MENDARA_BUNDLE_DIR = path.resolve('tests/api/harness/bundle');
    api = await startApi({}, undefined, way);
  });
  afterAll(async () => {
    delete process.env.MENDARA_BUNDLE_DIR;
    await api.close();
  });

  it.each(titled)('is taken, and its answer fits: $name', async ({ operation, example, index }) => {
    const response = await send(api, operation, example, index);
    const { answer } = operation;
    if (typeof answer !== 'string' && 'redirect' in answer) {
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toMatch(/^http:/);
      return;
    }
    if (typeof answer !== 'string') {
      expect(response.status).toBe(200);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
      return;
    }
    const envelope = (await response.json()) as Node;
    expect(envelope).toMatchObject({ success: '1', msg: '' });
    expect(Object.keys(envelope)).toEqual(['success', 'msg', 'obj']);
    expect(misfits(answer, envelope.obj)).toEqual([]);
  });

  it('is refused as the document says where a token is required', async () => {
    for (const operation of operations.filter(({ session }) => session === 'required')) {
      const response = await api.send(operation.method.toUpperCase(), operation.path, {});
      const envelope = await response.json();
      expect(misfits('Refusal', envelope)).toEqual([]);
      expect(envelope).toMatchObject({ success: '10009' });
    }
  });
});
