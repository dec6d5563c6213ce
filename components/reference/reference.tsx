import { Band, Wrap } from '@/components/ui/band';
import { operations } from '@/lib/contract/api';
import { openApiDocument } from '@/lib/contract/api/document';
import { refusals } from '@/lib/contract/errors';
import site from '@/styles/site.module.scss';
import { Call } from './call';
import { Data, Fold, Words } from './fold';
import styles from './reference.module.scss';

const { info, components } = openApiDocument();
const groups = [...new Set(operations.map(({ tag }) => tag))];
const idOf = (group: string) => group.toLowerCase().replace(/\W+/g, '-');

/** The calls of the product API, to be read: the same document that /api/v1/openapi.json serves. */
export function Reference() {
  return (
    <>
      <section className={site.pageheadHead}>
        <Wrap>
          <h1>Product API</h1>
          <p className={`lead ${site.pageheadLead}`}>
            Every call that this site makes, with what it sends and what comes back. The same as data:{' '}
            <a href="/api/v1/openapi.json">openapi.json</a>, OpenAPI 3.1.
          </p>
          <nav aria-label="On this page">
            <ul className={styles.contents}>
              {[...groups, 'Refusals', 'Schemas'].map((group) => (
                <li key={group}>
                  <a href={`#${idOf(group)}`}>{group}</a>
                </li>
              ))}
            </ul>
          </nav>
        </Wrap>
      </section>
      <Band tight>
        <Words text={info.description} className={styles.about} />
        {groups.map((group) => (
          <section key={group} className={styles.group} aria-labelledby={idOf(group)}>
            <h2 id={idOf(group)}>{group}</h2>
            {operations
              .filter(({ tag }) => tag === group)
              .map((operation) => (
                <Call key={operation.id} operation={operation} />
              ))}
          </section>
        ))}
        <section className={styles.group} aria-labelledby="refusals">
          <h2 id="refusals">Refusals</h2>
          <dl className={styles.refusals}>
            {Object.values(refusals).map(({ code, status, msg }) => (
              <div key={code} id={`refusal-${code}`}>
                <dt>
                  <code>{code}</code>, HTTP status {status}
                </dt>
                <dd>{msg}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section className={styles.group} aria-labelledby="schemas">
          <h2 id="schemas">Schemas</h2>
          {Object.entries(components.schemas).map(([name, schema]) => (
            <Fold key={name} id={`schema-${name}`} title={<code>{name}</code>}>
              <Data value={schema} />
            </Fold>
          ))}
        </section>
      </Band>
    </>
  );
}
