import 'server-only';
import * as z from 'zod/mini';
import { header } from '../../contract/headers';
import { ok } from '../../contract/result';
import { findSession, type LiveSession } from '../accounts/find-session';
import { check } from '../base/check';
import { clientNetwork, networkOnly } from '../base/client-network';
import { logError, logSecurity, type SecurityAct, securityResult } from '../base/log';
import { type Outcome, type Refusal, refuse } from '../base/refusal';
import { asRequestId, REQUEST_ID_HEADER, traced } from '../base/trace';
import { Crowded } from '../base/turns';
import { type Context, context } from '../context';
import { consume } from '../limits/consume';
import { limitTable } from '../limits/table';
import { answer, refusalResponse } from './answer';
import type { ApiRequest } from './api-request';
import { readJson } from './body';
import { clientAddress } from './client';

/** Largest JSON body a route takes, in bytes, unless it says otherwise. */
const DEFAULT_MAX_BYTES = 32 * 1024;

/**
 * How a route treats the Authorization header:
 * `ignored`; `optional`: a dead token counts as none; `whenSent`: a dead token is answered 10009, none is a visitor;
 * `required`: none or a dead one is answered 10009.
 */
type SessionRule = 'ignored' | 'optional' | 'whenSent' | 'required';

type Spec<Body, Query, Rule extends SessionRule> = {
  body?: z.core.$ZodType<Body>;
  query?: z.core.$ZodType<Query>;
  session?: Rule;
  maxBytes?: number;
  /** What a call of it tries, as the log of security events names it. */
  security?: SecurityAct;
};

/** What a handler gets, all of it checked. */
export type Call<Body = unknown, Query = unknown, Rule extends SessionRule = 'ignored'> = {
  ctx: Context;
  request: ApiRequest;
  body: Body;
  query: Query;
  params: Record<string, string>;
  session: Rule extends 'required' ? LiveSession : LiveSession | null;
  /** Address of the caller. */
  client: string;
};

/** A route handler, as the server in front and the framework call it. */
export type Handler = (request: ApiRequest, route?: { params: Promise<Record<string, unknown>> }) => Promise<Response>;

/** Said where so many passwords wait to be checked that one more would wait too long. */
const crowded: Refusal = {
  name: 'unavailable',
  msg: 'Very many people are signing in just now. Please try again in a moment.',
  retryAfterSeconds: 2,
};

const nothing = z.unknown();
const pathParams = z.record(z.string(), z.string());

/**
 * The one wrapper of every handler: checks the session, the query and the body, runs the operation, and answers in the
 * envelope. An unforeseen error is logged and answered in words for a person, never with where it came from.
 * The path is not logged: it may hold the key to a file.
 */
export function route<Body = unknown, Query = unknown, Rule extends SessionRule = 'ignored'>(
  spec: Spec<Body, Query, Rule>,
  handle: (call: Call<Body, Query, Rule>) => Promise<Outcome<unknown> | Response>,
): Handler {
  const answerOf: Handler = async (request, extra) => {
    try {
      const call = await readCall(spec, request, extra);
      if (!call.ok) return answer(call);
      const outcome = await handle(call.value);
      if (outcome instanceof Response) return outcome;
      const { ctx, client, params, session } = call.value;
      const tried = spec.security && securityResult(outcome);
      if (spec.security && tried) logSecurity(spec.security, tried, { account: session?.user.id });
      return answer(Object.keys(params).length > 0 ? await countMiss(ctx, outcome, client) : outcome);
    } catch (error) {
      if (error instanceof Crowded) return refusalResponse(crowded);
      logError('request.failed', `A ${request.method} request failed.`, error);
      return refusalResponse({ name: 'internal' });
    }
  };
  return (request, extra) =>
    traced(
      {
        requestId: asRequestId(request.headers.get(REQUEST_ID_HEADER)),
        network: networkOnly(clientAddress(request)),
      },
      () => answerOf(request, extra),
    );
}

/** Checks the session, the query, the body and the parts of the path, in this order. */
async function readCall<Body, Query, Rule extends SessionRule>(
  spec: Spec<Body, Query, Rule>,
  request: ApiRequest,
  extra: Parameters<Handler>[1],
): Promise<Outcome<Call<Body, Query, Rule>>> {
  const ctx = await context();
  const session = await sessionOf(ctx, request, spec.session ?? 'ignored');
  if (session === 'refused') return refuse('sessionInvalid');
  const query = check(spec.query ?? (nothing as z.core.$ZodType<Query>), queryOf(request));
  if (!query.ok) return query;
  const json = spec.body ? await readJson(request, spec.maxBytes ?? DEFAULT_MAX_BYTES) : null;
  if (json && !json.ok) return json;
  const body = check(spec.body ?? (nothing as z.core.$ZodType<Body>), json?.value);
  if (!body.ok) return body;
  const params = check(pathParams, await paramsOf(extra));
  if (!params.ok) return params;
  return ok({
    ctx,
    request,
    body: body.value,
    query: query.value,
    params: params.value,
    // `required` never comes here without a session.
    session: session as Call<Body, Query, Rule>['session'],
    client: clientAddress(request),
  });
}

/** Ids and keys can't be tried out: after so many that opened nothing, a caller is told to wait. */
async function countMiss(ctx: Context, outcome: Outcome<unknown>, client: string): Promise<Outcome<unknown>> {
  if (outcome.ok || (outcome.error.name !== 'notFound' && outcome.error.name !== 'expired')) return outcome;
  const allowed = await consume(ctx, limitTable.misses, clientNetwork(client));
  return allowed.ok ? outcome : allowed;
}

async function sessionOf(
  ctx: Context,
  request: ApiRequest,
  rule: SessionRule,
): Promise<LiveSession | null | 'refused'> {
  if (rule === 'ignored') return null;
  const token = request.headers.get(header.authorization);
  const session = token ? await findSession(ctx, token) : null;
  if (session || rule === 'optional') return session;
  return rule === 'required' || token ? 'refused' : null;
}

function queryOf(request: ApiRequest): Record<string, string> {
  const start = request.url.indexOf('?');
  return start === -1 ? {} : Object.fromEntries(new URL(request.url).searchParams);
}

async function paramsOf(extra: Parameters<Handler>[1]): Promise<Record<string, string>> {
  const entries = Object.entries((await extra?.params) ?? {});
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? value.join('/') : String(value)]),
  );
}
