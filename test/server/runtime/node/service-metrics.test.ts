import { expect, test } from 'vitest';
import { type GaugeReads, prometheusMetrics } from '../../../../src/server/runtime/node/service-metrics.node.ts';

const EMPTY: GaugeReads = { queue: async () => ({ queued: 0, running: 0 }), waitingWebhooks: async () => 0 };

function metricsOf(reads: Partial<GaugeReads> = {}) {
  const metrics = prometheusMetrics({ ...EMPTY, ...reads });
  return { metrics, scrape: async () => ((await metrics.render())?.body ?? '').split('\n') };
}

test('events are counted, and each metric has a help and a type', async () => {
  const { metrics, scrape } = metricsOf();
  for (let i = 0; i < 2; i++) {
    metrics.time('requests', { method: 'GET', route: '/v1/digests/{id}', status: 200 }, 0.004);
    metrics.time('stages', { stage: 'extract' }, 0.03);
    metrics.time('digests', { status: 'completed' }, 1.5);
    metrics.count('tokens', { stage: 'write', kind: 'prompt' }, 120);
    metrics.count('lookups', { kind: 'encodings', result: 'hit' }, 3);
    metrics.count('jobs', { event: 'queued' });
    metrics.count('webhooks', { outcome: 'delivered' });
    metrics.count('sheds', { reason: 'queue' });
    metrics.count('limited', {});
  }
  const lines = await scrape();
  const request = 'method="GET",route="/v1/digests/{id}",status="200"';
  expect(lines).toEqual(
    expect.arrayContaining([
      `tessera_http_request_duration_seconds_count{${request}} 2`,
      `tessera_http_request_duration_seconds_bucket{le="0.005",${request}} 2`,
      'tessera_stage_duration_seconds_bucket{le="0.025",stage="extract"} 0',
      'tessera_stage_duration_seconds_bucket{le="0.05",stage="extract"} 2',
      'tessera_digest_duration_seconds_bucket{le="120",status="completed"} 2',
      'tessera_tokens_total{stage="write",kind="prompt"} 240',
      'tessera_cache_lookups_total{kind="encodings",result="hit"} 6',
      'tessera_cache_lookups_total{kind="encodings",result="miss"} 0',
      'tessera_job_events_total{event="queued"} 2',
      'tessera_job_events_total{event="done"} 0',
      'tessera_webhook_attempts_total{outcome="delivered"} 2',
      'tessera_requests_shed_total{reason="queue"} 2',
      'tessera_requests_rate_limited_total 2',
    ]),
  );
  const families = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
  expect(new Set(families).size).toBe(families.length);
  for (const name of families) expect(lines.some((line) => line.startsWith(`# HELP ${name} `))).toBe(true);
});

test('gauges are read with each scrape, and absent while they cannot be read', async () => {
  let queued = 3;
  let isBroken = false;
  const { scrape } = metricsOf({
    async queue() {
      if (isBroken) throw new Error('the database is gone');
      return { queued: queued++, running: 2 };
    },
    waitingWebhooks: async () => 7,
  });
  const first = await scrape();
  expect(first).toContain('tessera_jobs{state="queued"} 3');
  expect(first).toContain('tessera_jobs{state="running"} 2');
  expect(first).toContain('tessera_webhooks_waiting 7');
  isBroken = true;
  const without = await scrape();
  expect(without.filter((line) => line.startsWith('tessera_jobs{'))).toEqual([]);
  expect(without).toContain('tessera_webhooks_waiting 7');
  isBroken = false;
  const again = await scrape();
  expect(again).toContain('tessera_jobs{state="queued"} 4');
  expect(again).toContain('tessera_scrape_failures_total 1');
});
