'use client';

import { Empty, Result } from 'antd';
import type { ReactNode } from 'react';

/** What the two results of antd show; it comes when one of them is due, with the drawings that antd brings along. */
export type ResultPart = {
  className: string;
  picture: ReactNode;
  title: ReactNode;
  text: ReactNode;
  action: ReactNode;
};

/** Nothing there yet. */
export function EmptyPart({ className, picture, title, text, action }: ResultPart) {
  return (
    <Empty
      className={className}
      image={picture}
      description={
        <>
          {title}
          {text}
        </>
      }
    >
      {action}
    </Empty>
  );
}

/** Something did not load. */
export function FailedPart({ className, picture, title, text, action }: ResultPart) {
  return <Result status="error" className={className} icon={picture} title={title} subTitle={text} extra={action} />;
}
