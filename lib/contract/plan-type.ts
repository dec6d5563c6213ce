import * as z from 'zod/mini';
import type { PlanType } from '../catalog/types';

/** Billing types of a plan. Not a list of the catalogue, which would come with every page. */
export const planTypeSchema = z.enum({
  week: 'week',
  month: 'month',
  year: 'year',
  perpetual: 'perpetual',
} as const satisfies { [Type in PlanType]: Type });
