import { Button } from '@/components/ui/button';
import { formClass, SelectField, TextArea, TextField, twoColumnsClass } from '@/components/ui/field';

const topics = ['Recovery', 'Repair', 'Duplicates', 'WhatsApp transfer', 'Order or licence', 'Something else'] as const;

/** The contact form's fields, as the contact call names them. */
export function ContactForm({ title }: { title: string }) {
  return (
    <form className={formClass} method="post" action="/api/v1/contact" aria-label={title}>
      <h2 className="sr">{title}</h2>
      <div className={twoColumnsClass}>
        <TextField label="Name" name="name" autoComplete="name" maxLength={100} />
        <TextField label="E-mail" name="email" type="email" autoComplete="email" required />
      </div>
      <div className={twoColumnsClass}>
        <SelectField label="Topic" name="subject" defaultValue={topics[0]}>
          {topics.map((topic) => (
            <option key={topic}>{topic}</option>
          ))}
        </SelectField>
        <TextField label="Order number" name="orderNumber" hint="If it is about an order" autoComplete="off" />
      </div>
      <TextArea label="Message" name="message" maxLength={5000} rows={7} required />
      <div>
        <Button type="submit">Send message</Button>
      </div>
      <p className="micro">We use your address to answer you, and for nothing else.</p>
    </form>
  );
}
