/** The status that anything thrown stands for: its own, or 500 (lib/contract/README.md, 48). */
export function errorStatus(reason: unknown): number {
  const { statusCode } = Object(reason) as { statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : 500;
}
