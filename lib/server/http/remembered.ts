import 'server-only';
import { type ProductsListRequest, productsListSchema } from '../../contract/requests/pay';
import type { SessionCheck } from '../../contract/session';
import { findSession, type LiveSession } from '../accounts/find-session';
import { check } from '../base/check';
import { listProducts } from '../catalogue/list-products';
import type { Context } from '../context';
import { installerList } from '../downloads/list-installers';
import { type Kept, keep } from './kept';

const checks = new WeakMap<LiveSession, Kept>();
const nobody = keep(null, 'no-store');

/** Who a token belongs to, or nobody, as `GET /sso/check` answers it. */
export async function keptCheck(ctx: Context, token: string | null | undefined): Promise<Kept> {
  const session = token ? await findSession(ctx, token) : null;
  if (!session) return nobody;
  const known = checks.get(session);
  if (known) return known;
  const made = keep({ id: session.user.id, email: session.user.email } satisfies SessionCheck, 'no-store');
  checks.set(session, made);
  return made;
}

const products = new Map<string, Kept>();

/** What is sold of a product: it changes with the program alone. */
export function keptProducts(input: ProductsListRequest): Kept {
  const key = `${input.website} ${input.os ?? ''}`;
  const known = products.get(key) ?? keep(listProducts(input), 'no-cache');
  products.set(key, known);
  return known;
}

const installers = new WeakMap<readonly unknown[], Kept>();

/** Every installer with what its file says, under one of our origins. */
export async function keptInstallers(ctx: Context, origin: string): Promise<Kept> {
  const rows = await installerList(ctx, origin);
  const known = installers.get(rows) ?? keep(rows, 'no-cache');
  installers.set(rows, known);
  return known;
}

const paths: ReadonlySet<string> = new Set(['/products/list', '/sso/check', '/recovery/installers']);

/** True for the addresses that {@link fromMemory} knows. */
export function mayRemember(path: string): boolean {
  return paths.has(path);
}

/** A call as the server in front sees it: its path below `/api/v1`, and its body where one has come. */
export type Asked = {
  method: string;
  path: string;
  token: string | undefined;
  origin: () => string;
  body: Buffer | null;
};

/** The answers that are given from memory, without a request being made for a route; null for every other call. */
export async function fromMemory(ctx: Context, { method, path, token, origin, body }: Asked): Promise<Kept | null> {
  if (method === 'POST' && path === '/products/list' && body) {
    const input = check(productsListSchema, jsonOf(body));
    return input.ok ? keptProducts(input.value) : null;
  }
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (path === '/sso/check') return keptCheck(ctx, token);
  if (path === '/recovery/installers') return keptInstallers(ctx, origin());
  return null;
}

/** What can't be read is left to the route, which says so. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
