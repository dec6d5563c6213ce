import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { sayPlainly } from '@/lib/cli/front/lifecycle';
import { context } from '@/lib/server/context';
import { repairTasks } from '@/lib/server/db/schema';
import { startTask } from '@/lib/server/repairs/start-task';
import { startRuntime } from '@/lib/server/run/runtime';

const uploadPath = (dataDir: string, id: string) => path.join(dataDir, 'uploads', id);

/**
 * A process to be killed. With `make` it uploads and starts a repair whose first run never ends; then it says in lines
 * of JSON how that repair stands, until it is ended.
 */
async function main(): Promise<void> {
  const runtime = await startRuntime();
  runtime.startJobs();
  const ctx = await context();
  if (process.argv[2] === 'make') {
    const key = randomBytes(16).toString('hex');
    const id = createHash('sha256').update(key).digest('hex');
    fs.writeFileSync(uploadPath(ctx.env.DATA_DIR, id), 'some content');
    await ctx.db.insert(repairTasks).values({
      id,
      type: 18,
      fileName: 'once.pdf',
      fileSize: 12,
      status: 'uploading',
      client: '',
      createdAt: ctx.now(),
      uploadedAt: ctx.now(),
      expiresAt: new Date(ctx.now().getTime() + 3_600_000),
    });
    await startTask(ctx, key, {}, 'http://localhost');
  }
  process.on('SIGTERM', () => {
    runtime.stop().then(() => process.exit(0));
  });
  for (;;) {
    const [task] = await ctx.db.select().from(repairTasks);
    const mark = task && `${uploadPath(ctx.env.DATA_DIR, task.id)}.mark`;
    const child = mark && fs.existsSync(mark) ? Number(fs.readFileSync(mark, 'utf8')) : null;
    console.log(JSON.stringify({ status: task?.status ?? null, child }));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

main().catch((error: unknown) => {
  sayPlainly(error);
  process.exit(1);
});
