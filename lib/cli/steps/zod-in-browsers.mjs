/*
 * What browser code uses of zod/mini, bundled apart by bundled-loader.mjs. A function that is missing here is missing in
 * the build too, which says so.
 */
export {
  array,
  boolean,
  config,
  enum,
  extend,
  literal,
  minLength,
  never,
  null,
  nullable,
  nullish,
  number,
  object,
  optional,
  overwrite,
  pipe,
  record,
  refine,
  regex,
  safeParse,
  string,
  transform,
  union,
  unknown,
} from 'zod/mini';
