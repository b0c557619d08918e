import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isReachable, PUBLIC_ONLY, readAllowedTargets, targetProblem } from '../../src/server/targets.ts';

const PRIVATE_ADDRESS = 'must not lead to an address that is not public';
const PRIVATE_NAME = 'must not name a host of a private network';
const PROTOCOL = 'must be an http or https address';

test.each(
  `
    http://127.0.0.1 http://127.0.0.1:8787/v1/digests https://127.255.255.254 http://127.1 http://127.0.1
    http://0x7f000001 http://0x7f.1 http://0177.0.0.1 http://017700000001 http://2130706433 http://127.0.0.1.
    http://%31%32%37.0.0.1 http://１２７.0.0.1 http://127。0。0。1 HTTP://127.0.0.1 http://0 http://0.0.0.0 http://0.1.2.3
    http://10.0.0.1 http://10.255.255.255 http://172.16.0.1 http://172.31.255.255 http://192.168.1.1
    http://169.254.169.254/latest/meta-data/ http://169.254.170.2 http://100.64.0.1 http://100.100.100.200
    http://100.127.255.255 http://168.63.129.16 http://192.0.0.8 http://192.0.2.1 http://192.88.99.1
    http://198.18.0.1 http://198.51.100.1 http://203.0.113.1 http://224.0.0.1 http://239.255.255.250 http://240.0.0.1
    http://255.255.255.255 http://[::] http://[::1] http://[0:0:0:0:0:0:0:1]:80/ http://[::ffff:10.0.0.1]
    http://[::ffff:7f00:1] http://[::ffff:169.254.169.254] http://[::127.0.0.1] http://[::ffff:0:127.0.0.1]
    http://[64:ff9b::127.0.0.1] http://[64:ff9b:1::10.0.0.1] http://[2002:7f00:1::] http://[2001::1]
    http://[2001:db8::1] http://[3fff::1] http://[5f00::1] http://[100::1] http://[fc00::1] http://[fd00::1]
    http://[fd00:ec2::254] http://[fe80::1] http://[fec0::1] http://[ff02::1] http://[4000::1] http://[e000::1]
  `
    .trim()
    .split(/\s+/),
)('%s is refused: the address is not public', (url) => {
  expect(targetProblem(url, PUBLIC_ONLY)).toBe(PRIVATE_ADDRESS);
});

test.each(
  `
    http://localhost http://LOCALHOST:3000/x http://localhost. http://localhost.. http://ⓛocalhost
    http://app.localhost http://printer.local http://metadata.google.internal/computeMetadata/v1/
    http://host.docker.internal. http://nas.home.arpa http://redis:6379 http://metadata http://. http:///localhost
    https://printer.lan https://wiki.corp/hook https://kubernetes.default.svc
  `
    .trim()
    .split(/\s+/),
)('%s is refused: the name is one of a private network', (url) => {
  expect(targetProblem(url, PUBLIC_ONLY)).toBe(PRIVATE_NAME);
});

const CREDENTIALS = 'must not contain credentials';
const CHARACTERS = 'must not contain white space, control characters or backslashes';
test.each([
  ['https://example.com:0/hook', 'must not have port 0'],
  ['https://a..b/hook', 'must not have an empty part in its host'],
  ...'ftp://example.com/x file:///etc/passwd gopher://example.com ws://example.com javascript:alert(1) data:text/plain,x'
    .split(' ')
    .concat('//example.com', '/v1/digests', 'http:example.com', 'example.com', '', 'http://', 'http://256.256.256.256')
    .concat('http://example.com:99999', 'http://[fe80::1%25eth0]')
    .map((url) => [url, PROTOCOL]),
  ...['user:pw@example.com', 'user@example.com', ':pw@example.com', 'example.com@127.0.0.1'].map((rest) => [
    `http://${rest}`,
    CREDENTIALS,
  ]),
  ...['example.com/#top', 'example.com#', '127.0.0.1#.example.com'].map((rest) => [
    `http://${rest}`,
    'must not have a fragment',
  ]),
  [' http://example.com', CHARACTERS],
  ['http://exam\tple.com', CHARACTERS],
  ['http://example.com/\r\nHost: x', CHARACTERS],
  ['http://example.com\\@127.0.0.1', CHARACTERS],
  [`http://example.com/${'x'.repeat(1982)}`, 'must not be longer than 2000 characters'],
])('%s is refused', (url, problem) => {
  expect(targetProblem(url, PUBLIC_ONLY)).toBe(problem);
});

test.each(
  `
    https://example.com HTTPS://Example.com:8443/in?token=a%20b&x=[1] http://example.com./
    https://hooks.example.co.uk/a/b;c https://xn--e1afmkfd.xn--p1ai/ https://пример.рф/ https://localhost.example.com
    https://local.example https://127.0.0.1.nip.io http://8.8.8.8 http://172.15.255.255 http://172.32.0.1
    http://100.63.255.255 http://100.128.0.1 http://[2606:4700:4700::1111] http://[::ffff:8.8.8.8]
  `
    .trim()
    .split(/\s+/)
    .concat(`http://example.com/${'x'.repeat(1981)}`),
)('%s is accepted', (url) => {
  expect(targetProblem(url, PUBLIC_ONLY)).toBe(null);
});

test('what is allowed is accepted, and nothing beside it', () => {
  const allow = readAllowedTargets(
    'TESSERA_WEBHOOK_ALLOW',
    ' 127.0.0.1, 10.0.0.0/8,hooks.internal , Redis.,fd00::/8,::1,, b\u00fccher.local ',
  );
  const problems = [
    'http://127.1:99/x',
    'http://[::ffff:127.0.0.1]',
    'http://10.200.0.1',
    'http://[::ffff:10.0.0.1]',
    'http://HOOKS.internal./x',
    'http://redis:6379',
    'http://[fdff::1]',
    'http://[::1]',
    'http://bücher.local',
  ].map((url) => targetProblem(url, allow));
  expect(problems).toEqual(problems.map(() => null));
  for (const url of [
    'http://127.0.0.2',
    'http://11.0.0.1@x',
    'http://169.254.1.1',
    'http://[fc00::1]',
    'http://[::2]',
  ]) {
    expect(targetProblem(url, allow)).not.toBe(null);
  }
  for (const url of ['http://x.hooks.internal', 'http://internal', 'http://localhost']) {
    expect(targetProblem(url, allow)).toBe(PRIVATE_NAME);
  }
  expect(targetProblem('http://u:p@127.0.0.1', allow)).toContain('credentials');
});

test.each([
  ...'10.0.0.0/33 10.0.0.0/ 10.0.0.0/-1 fd00::/129 10.1.2.3/8 fd00::1/8 10/8 010.0.0.0/8 ::ffff:10.0.0.0/8'.split(' '),
  ...'10.0.0.0/8/8 example.com/path http://example.com 127.1 0x7f000001 localhost:80 a@b fe80::1%eth0'.split(' '),
  ...['1.2.3.256', 'a b', '.', '*.internal', 'a..b', '-a'],
])('a setting with %s names it as wrong', (entry) => {
  const problem = `TESSERA_WEBHOOK_ALLOW is wrong at "${entry}": it must be`;
  expect(() => readAllowedTargets('TESSERA_WEBHOOK_ALLOW', `127.0.0.1,${entry}`)).toThrow(problem);
});

test('no text makes the check fail, or leads to an address that is not public', () => {
  const host = fc.oneof(
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.domain(),
  );
  const near = fc.tuple(fc.constantFrom('http://', 'https://', ''), host, fc.webPath()).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), near), (text) => {
      const problem = targetProblem(text, PUBLIC_ONLY);
      if (problem !== null) return;
      const { hostname } = new URL(text);
      if (/^\[|^[\d.]+$/.test(hostname)) expect(isReachable(hostname.replace(/[[\]]/g, ''), PUBLIC_ONLY)).toBe(true);
    }),
    { numRuns: 100, seed: 6 },
  );
});
