import { Tray } from '@/components/ui/band';
import { ProductIcon } from '@/components/ui/icon';
import { drawings } from '@/lib/content/pictures';
import { toolsBanner } from '@/lib/content/screens/tools-banner';
import styles from './tools-banner.module.scss';

/** The online tools' banner alone, to be framed by the vendor's own apps; its links leave the frame. */
export function ToolsBanner() {
  const { title, lead, rows } = toolsBanner;
  return (
    <Tray texture={drawings['texture-cta']} className={styles.banner}>
      <div>
        <h1>{title}</h1>
        <p className={styles.lead}>{lead}</p>
      </div>
      <ul className={styles.tools}>
        {rows.map(({ href, title: name, text, tile }) => (
          <li key={href}>
            <a href={href} target="_top">
              <ProductIcon name={tile} />
              <span>
                <b>{name}</b>
                <span>{text}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Tray>
  );
}
