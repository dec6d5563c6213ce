import 'server-only';

/**
 * Thrown by a job whose time has not come: what it needs cannot be had just now, through no fault of its own. It is put back, and
 * the attempt does not count.
 */
export class Postponed extends Error {
  override name = 'Postponed';

  constructor(
    reason: string,
    readonly seconds: number,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
