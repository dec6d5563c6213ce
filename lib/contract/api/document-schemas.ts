import * as z from 'zod/mini';
import { momentSchema, webAddressSchema } from '../fields';
import { emailField } from '../requests/fields';
import { answers, requests } from './schemas';

/** A JSON Schema (2020-12), the dialect of OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>;

/** What a schema checks by code is said by a format; the identity of the schema tells. */
const formats = new Map<z.core.$ZodType, string>([
  [momentSchema, 'date-time'],
  [webAddressSchema, 'uri-reference'],
  [emailField, 'email'],
]);

function named(schemas: Record<string, z.ZodMiniType>, io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override({ zodSchema, jsonSchema }) {
      const format = formats.get(zodSchema);
      if (format) jsonSchema.format = format;
      // A closed answer would call every field that is added later a mistake.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return Object.fromEntries(
    Object.entries(made.schemas).map(([id, { $schema: _dialect, $id: _id, ...schema }]) => [id, schema]),
  );
}

/** Every named schema: what is sent as it may be sent, what is answered as this server answers it. */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...named(requests, 'input'), ...named(answers, 'output') };
}
