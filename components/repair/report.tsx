import { Icon } from '@/components/ui/icon';
import type { Measure, RepairReport } from '@/lib/contract/repair';
import styles from './repair-tool.module.scss';

/** Units come in the plural; one of something is said in the singular. */
function unitWords(unit: string, count: number): string {
  return count === 1 ? unit.replace(/ies$/, 'y').replace(/([^s])s$/, '$1') : unit;
}

function measureWords({ unit, count, detail }: Measure): string {
  return `${count.toLocaleString('en-US')} ${unitWords(unit, count)}${detail ? `, ${detail}` : ''}`;
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

/** Each line once: the engine may have done the same to several places. */
const unique = (lines: readonly string[]) => [...new Set(lines)];

/** The written report: what was found, what was done, what was kept and what is lost. */
export function Report({ report }: { report: RepairReport }) {
  const at = (offset: number | null) => (offset === null ? '' : ` (at byte ${offset.toLocaleString('en-US')})`);
  return (
    <details className={styles.report}>
      <summary>
        What we found and did <Icon name="chevron-down" />
      </summary>
      <div className={styles.reportBody}>
        <Lines title="Good to know" lines={unique(report.notes)} />
        <Lines title="Found" lines={unique(report.found.map(({ detail, offset }) => `${detail}${at(offset)}`))} />
        <Lines title="Done" lines={unique(report.steps.map(({ detail }) => detail))} />
        <Lines title="Kept" lines={unique(report.kept.map(measureWords))} />
        <Lines title="Rebuilt" lines={unique(report.rebuilt.map(measureWords))} />
        <Lines title="Lost" lines={unique(report.lost.map(measureWords))} />
        <dl>
          <dt>Your file, SHA-256</dt>
          <dd>{report.input.sha256}</dd>
          {report.output ? (
            <>
              <dt>{report.verdict === 'healthy' ? 'Returned file' : 'Repaired file'}, SHA-256</dt>
              <dd>{report.output.sha256}</dd>
            </>
          ) : null}
          <dt>Engine</dt>
          <dd>
            {report.engineVersion}, {(report.durationMs / 1000).toFixed(1)} s
          </dd>
        </dl>
      </div>
    </details>
  );
}
