import { refuse } from '@/lib/server/base/refusal';
import { endpoints } from '@/lib/server/http/endpoints';
import { route } from '@/lib/server/http/route';

const unknown = route({}, async () => refuse('notFound', 'The API has no such address.'));

/** Every address of the API that no other file serves. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoints({
  GET: unknown,
  POST: unknown,
  PUT: unknown,
  PATCH: unknown,
  DELETE: unknown,
});
