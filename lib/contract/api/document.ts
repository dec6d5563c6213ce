import { refusal, success } from '../answer';
import { type RefusalName, refusals } from '../errors';
import { header, VERSION_CODE } from '../headers';
import { componentSchemas, type JsonSchema } from './document-schemas';
import { operations } from './index';
import type { Operation, Parameter } from './operation';

const schema = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Headers (lib/contract/README.md, 41); each only when there is something to send. */
const commonHeaders: Record<string, Parameter> = {
  [header.phoneOs]: { what: 'Windows and other 2, Mac 3.', example: '2' },
  [header.website]: { what: 'The brand: recovery, duplicate or whatsapp.', example: 'recovery' },
  [header.trackId]: { what: 'Random for each load until the visitor agreed, then kept.', example: '5b0e2a51-6a4c' },
  [header.token]: { what: 'The cookie of this name.', example: 'token' },
  [header.uuid]: { what: 'The kept id of a visitor who agreed.', example: '5b0e2a51-6a4c' },
  [header.channel]: { what: 'Where the visitor came from.', example: 'newsletter' },
  [header.clientId]: { what: 'The client of the address’ query.', example: 'desktop' },
  [header.language]: { what: 'The language of the site.', example: 'en' },
  [header.versionCode]: { what: 'The version of the client.', example: VERSION_CODE },
};

function parameter(place: 'path' | 'query' | 'header', name: string, about: Parameter) {
  return {
    name,
    in: place,
    required: place === 'path' || about.required === true,
    description: about.what,
    schema: { type: 'string', ...about.schema },
    example: about.example,
  };
}

function parametersOf({ params = {}, query = {}, headers = {} }: Operation): unknown[] {
  return [
    ...Object.entries(params).map(([name, about]) => parameter('path', name, about)),
    ...Object.entries(query).map(([name, about]) => parameter('query', name, about)),
    ...Object.entries(headers).map(([name, about]) => parameter('header', name, about)),
    // A header that the call says more about is not named twice.
    ...Object.keys(commonHeaders)
      .filter((name) => !headers[name])
      .map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

/** Every refusal that a call may meet: its own, and those of its parts. */
export function refusalsOf({ session, params, query, body, form, refusals: own = [] }: Operation): RefusalName[] {
  const all: RefusalName[] = [...own];
  if (session) all.push('sessionInvalid');
  if (params) all.push('notFound', 'tooManyRequests');
  if (query || body) all.push('invalidRequest');
  if (body || form) all.push('tooLarge');
  return [...new Set<RefusalName>([...all, 'internal'])].sort((a, b) => refusals[a].status - refusals[b].status);
}

function examplesOf({ examples = [] }: Operation, part: 'body' | 'obj') {
  const shown = examples.filter((example) => example[part] !== undefined);
  const value = (example: (typeof shown)[number]) => (part === 'obj' ? success(example.obj) : example.body);
  return Object.fromEntries(shown.map((example) => [example.title, { value: value(example) }]));
}

function answerOf(operation: Operation) {
  const { answer } = operation;
  if (typeof answer !== 'string' && 'redirect' in answer) return { description: answer.redirect };
  if (typeof answer !== 'string') return { description: answer.what, content: { [answer.file]: {} } };
  return {
    description: 'Success.',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'msg', 'obj'],
          properties: { success: { const: '1' }, msg: { type: 'string' }, obj: schema(answer) },
        },
        examples: examplesOf(operation, 'obj'),
      },
    },
  };
}

function statusOf({ answer }: Operation): '200' | '303' {
  return typeof answer !== 'string' && 'redirect' in answer ? '303' : '200';
}

function bodyOf(operation: Operation) {
  const { body, form } = operation;
  if (form) return { requestBody: { required: true, description: form.what, content: { [form.type]: {} } } };
  if (!body) return {};
  const content = { 'application/json': { schema: schema(body), examples: examplesOf(operation, 'body') } };
  return { requestBody: { required: true, content } };
}

function operationObject(operation: Operation) {
  const { id, tag, summary, detail, session } = operation;
  const answers = refusalsOf(operation).map((name) => [
    String(refusals[name].status),
    { $ref: `#/components/responses/${name}` },
  ]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(detail ? { description: detail } : {}),
    ...(session ? { security: session === 'required' ? [{ token: [] }] : [{}, { token: [] }] } : {}),
    parameters: parametersOf(operation),
    ...bodyOf(operation),
    responses: { [statusOf(operation)]: answerOf(operation), ...Object.fromEntries(answers) },
  };
}

function refusalResponse(name: RefusalName) {
  const { code, msg } = refusals[name];
  return {
    description: `Refused with code ${code}.`,
    content: { 'application/json': { schema: schema('Refusal'), example: refusal(name, msg) } },
  };
}

function paths(): Record<string, Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    all[operation.path] = { ...all[operation.path], [operation.method]: operationObject(operation) };
  }
  return all;
}

/** The product API in OpenAPI 3.1, made from the schemas that the server and the site check with. */
export function openApiDocument() {
  const names = Object.keys(refusals) as RefusalName[];
  return {
    openapi: '3.1.1',
    info: {
      title: 'Product API',
      version: '1',
      description:
        'Every answer is an envelope: `success` is "1", "10009" for an invalid session, or the code of another refusal whose `msg` a person can read. The client judges by the body, whatever the status.',
    },
    servers: [{ url: '/api/v1' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: paths(),
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The bare token.' },
      },
      parameters: Object.fromEntries(
        Object.entries(commonHeaders).map(([name, about]) => [name, parameter('header', name, about)]),
      ),
      responses: Object.fromEntries(names.map((name) => [name, refusalResponse(name)])),
      schemas: {
        ...componentSchemas(),
        Refusal: {
          type: 'object',
          required: ['success', 'msg', 'obj'],
          properties: {
            success: { enum: names.map((name) => refusals[name].code) },
            msg: { type: 'string', description: 'Words for a person.' },
            obj: { type: 'null' },
          },
        },
      },
    },
  };
}
