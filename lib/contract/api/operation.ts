import type { RefusalName } from '../errors';
import type { AnswerName, RequestName } from './schemas';

/** A parameter of the path, the query or the headers, always a text there. */
export type Parameter = {
  what: string;
  example: string;
  /** JSON Schema beyond `type: string`. */
  schema?: Record<string, unknown>;
  required?: boolean;
};

/** One example of a call: what is sent, and the `obj` that comes back. */
export type Example = { title: string; body?: unknown; obj?: unknown };

/** What a call answers with: the envelope around a named schema, a file, or another address for the browser (status 303). */
export type OperationAnswer = AnswerName | { file: string; what: string } | { redirect: string };

/** One call of the product API, as its document describes it. */
export type Operation = {
  method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `/api/v1`, parameters in braces. */
  path: string;
  id: string;
  tag: string;
  summary: string;
  detail?: string;
  /**
   * `required`: without a live token the call is refused with 10009. `accepted`: a token may be sent, a dead one is
   * refused. Missing: the header is not looked at.
   */
  session?: 'required' | 'accepted';
  params?: Record<string, Parameter>;
  query?: Record<string, Parameter>;
  headers?: Record<string, Parameter>;
  body?: RequestName;
  /** A body that is no JSON, by its media type. */
  form?: { type: string; what: string };
  answer: OperationAnswer;
  /** Refusals of this call beyond those that its parts bring about. */
  refusals?: RefusalName[];
  examples?: Example[];
};
