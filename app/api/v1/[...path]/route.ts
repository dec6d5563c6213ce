import { withBody } from '@/lib/server/http/answer';
import { findRoute } from '@/lib/server/http/api';
import type { Handler } from '@/lib/server/http/route';

/** The API as the framework answers it, by the same table as the server in front, which stands before it. */
const handle: Handler = async (request) => {
  const path = decodeURIComponent(new URL(request.url).pathname.slice('/api/v1'.length)).replace(/\/+$/, '');
  const { endpoints, params } = findRoute(path);
  const answerTo = endpoints[request.method as keyof typeof endpoints];
  return withBody(await answerTo(request, { params: Promise.resolve(params) }));
};

export const GET = handle;
export const HEAD = handle;
export const POST = handle;
export const PUT = handle;
export const PATCH = handle;
export const DELETE = handle;
export const OPTIONS = handle;
