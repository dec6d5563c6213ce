import 'server-only';
import { refuse } from '../base/refusal';
import { catalogueRoutes } from './api/catalogue';
import { developmentRoutes } from './api/development';
import { ordersRoutes } from './api/orders';
import { payRoutes } from './api/pay';
import { repairRoutes } from './api/repair';
import { serviceRoutes } from './api/service';
import { ssoRoutes } from './api/sso';
import { uploadsRoutes } from './api/uploads';
import { userRoutes } from './api/user';
import { type Endpoints, endpoints, type RouteGroup } from './endpoints';
import { route } from './route';

/** Every address of the API: the one table, by which the server in front and the framework's route answer alike. */
export const apiRoutes: RouteGroup = {
  ...catalogueRoutes,
  ...developmentRoutes,
  ...ordersRoutes,
  ...payRoutes,
  ...repairRoutes,
  ...serviceRoutes,
  ...ssoRoutes,
  ...uploadsRoutes,
  ...userRoutes,
};

/** What answers an address. `isStreamed`: its body may be long and is taken as it comes. */
export type Found = { endpoints: Endpoints; params: Record<string, string>; isStreamed: boolean };

type Entry = { parts: string[]; endpoints: Endpoints; isStreamed: boolean };

const entries: [string, Entry][] = Object.entries(apiRoutes)
  .map(([address, handlers]): [string, Entry] => [
    address,
    { parts: address.split('/'), endpoints: endpoints(handlers), isStreamed: Object.hasOwn(uploadsRoutes, address) },
  ])
  // A literal part comes before one that varies, as "{" comes after every letter.
  .sort(([a], [b]) => (a < b ? -1 : 1));
const fixed = new Map(entries.filter(([address]) => !address.includes('{')));
const varying = entries.filter(([address]) => address.includes('{')).map(([, entry]) => entry);

const unknown = route({}, async () => refuse('notFound', 'The API has no such address.'));
const elsewhere = endpoints({ GET: unknown, POST: unknown, PUT: unknown, PATCH: unknown, DELETE: unknown });

/** What answers a path below `/api/v1`, decoded and without its trailing slash. */
export function findRoute(path: string): Found {
  const exact = fixed.get(path);
  if (exact) return { ...exact, params: {} };
  const asked = path.split('/');
  for (const entry of varying) {
    const params = match(entry.parts, asked);
    if (params) return { ...entry, params };
  }
  // Named as a part of the path, so that it counts as a miss of whoever tries addresses out.
  return { endpoints: elsewhere, params: { path: path.slice(1) }, isStreamed: false };
}

function match(parts: readonly string[], asked: readonly string[]): Record<string, string> | null {
  if (parts.length !== asked.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = asked[index] ?? '';
    if (part.startsWith('{') && value !== '') params[part.slice(1, -1)] = value;
    else if (part !== value) return null;
  }
  return params;
}
