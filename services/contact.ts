import { nothingSchema } from '../lib/contract/fields';
import { post } from './http';

/** POST /contact: a message to the support, kept and mailed. */
export const sendContact = (fields: Record<string, string>) => post('/contact', nothingSchema, fields);
