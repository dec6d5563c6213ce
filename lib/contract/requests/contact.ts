import * as z from 'zod/mini';
import { emailField, trimmedText } from './fields';

/** Payload of `POST /contact`. */
export const contactSchema = z.object({
  name: trimmedText(100, 'Please use at most 100 characters for your name.'),
  email: emailField,
  subject: trimmedText(200, 'Please use at most 200 characters for the subject.'),
  orderNumber: trimmedText(64, 'Please use at most 64 characters for the order number.'),
  message: z
    .string('Please write your message.')
    .check(
      z.trim(),
      z.minLength(1, 'Please write your message.'),
      z.maxLength(5000, 'Please use at most 5000 characters for your message.'),
    ),
});
export type ContactMessage = z.infer<typeof contactSchema>;
