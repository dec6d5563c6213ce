import { success } from '@/lib/contract/answer';
import { refusalsOf } from '@/lib/contract/api/document';
import type { Example, Operation, Parameter } from '@/lib/contract/api/operation';
import { refusals } from '@/lib/contract/errors';
import { Data, Fold, Words } from './fold';
import styles from './reference.module.scss';

const sessions = {
  required: 'Needs the token of a signed-in user in the Authorization header.',
  accepted: 'Takes the token of a signed-in user in the Authorization header; a visitor sends none.',
};

function otherAnswer(answer: Exclude<Operation['answer'], string>): string {
  return 'redirect' in answer
    ? `another address (status 303). ${answer.redirect}`
    : `a file (${answer.file}). ${answer.what}`;
}

/** One call: what it is for, what it takes, what it answers, and how it is refused. */
export function Call({ operation }: { operation: Operation }) {
  const { id, method, path, summary, detail, session, params, query, headers, body, form, answer } = operation;
  const title = (
    <>
      <code className={styles.method}>{method.toUpperCase()}</code> <code className={styles.path}>{path}</code>
      <span className={styles.summary}>{summary}</span>
    </>
  );
  return (
    <Fold id={id} title={title}>
      {detail && <Words text={detail} />}
      {session && <p>{sessions[session]}</p>}
      <Parameters title="In the path" of={params} />
      <Parameters title="In the query" of={query} />
      <Parameters title="In headers" of={headers} />
      {body && (
        <p>
          Body: <SchemaLink name={body} />
        </p>
      )}
      {form && <p>{`Body: ${form.type}. ${form.what}`}</p>}
      <p>Answer: {typeof answer === 'string' ? <SchemaLink name={answer} /> : otherAnswer(answer)}</p>
      {operation.examples?.map((example) => (
        <ExampleBlock key={example.title} example={example} />
      ))}
      <p className={styles.codes}>
        <span>May be refused with</span>
        {refusalsOf(operation).map((name) => (
          <a key={name} href={`#refusal-${refusals[name].code}`}>
            {refusals[name].code}
          </a>
        ))}
      </p>
    </Fold>
  );
}

function SchemaLink({ name }: { name: string }) {
  return (
    <a href={`#schema-${name}`}>
      <code>{name}</code>
    </a>
  );
}

function Parameters({ title, of }: { title: string; of: Record<string, Parameter> | undefined }) {
  if (!of) return null;
  return (
    <>
      <h3>{title}</h3>
      <dl className={styles.parameters}>
        {Object.entries(of).map(([name, { what, example }]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              {what} Example: <code>{example}</code>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function ExampleBlock({ example: { title, body, obj } }: { example: Example }) {
  return (
    <>
      <h3>Example: {title}</h3>
      {body === undefined ? null : (
        <>
          <p>Sent</p>
          <Data value={body} />
        </>
      )}
      {obj === undefined ? null : (
        <>
          <p>Answered</p>
          <Data value={success(obj)} />
        </>
      )}
    </>
  );
}
