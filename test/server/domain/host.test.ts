import { expect, test } from 'vitest';
import { readHosts } from '../../../server/domain/host.ts';

const PLAIN = {
  name: 'a',
  ssh: 'a',
  folder: '~/engineering/code/clone-base',
  sync: 'git',
  capabilities: [],
};

function check(name: string, settings: unknown, expected: unknown): void {
  test(name, () => {
    const { hosts, problems } = readHosts(settings);
    const [problem] = problems;
    expect(problem?.message ?? hosts).toEqual(expected);
    expect(hosts.length + problems.length).toBeLessThan(2);
  });
}

check('no settings name no hosts', undefined, []);
check('nor does null', null, []);
check('a name is enough', { a: {} }, [PLAIN]);
check(
  'a host has all that is said of it',
  { a: { ssh: 'kim@x:2', folder: '/srv/x', sync: 'none', slots: 4, capabilities: ['gpu'] } },
  [
    {
      name: 'a',
      ssh: 'kim@x:2',
      folder: '/srv/x',
      sync: 'none',
      slots: 4,
      capabilities: ['gpu'],
    },
  ],
);

const SETTINGS = 'Hosts are names, each with an object of settings.';
for (const value of [[], 'a', 7, true])
  check(`${JSON.stringify(value)} is no hosts`, value, SETTINGS);

const NAME = 'A host is named with letters, digits, "." "_" "-" "@" ":", and not "local".';
for (const name of ['', 'local', '-oProxyCommand=id', 'a b', 'a;id', '#(id)', 'ü', 'a\n', '$HOME'])
  check(`no host is called ${JSON.stringify(name)}`, { [name]: {} }, NAME);
check('a host is an object', { a: 'a.example' }, 'A host is an object of settings; {} will do.');
check('a list is none', { a: [] }, 'A host is an object of settings; {} will do.');
check(
  'what it does not have is said',
  { a: { password: 'x' } },
  'A host has no setting "password": it has ssh, folder, sync, slots, capabilities, gone.',
);

const SSH =
  '"ssh" is what you would write after ssh: a host, user@host, or an alias of your ssh configuration.';
for (const ssh of ['-oProxyCommand=id', '', 'a b', 'a;id', '$(id)', '`id`', 'a\nb', 'a#b', 7, null])
  check(`nobody writes ${JSON.stringify(ssh)} after ssh`, { a: { ssh } }, SSH);
for (const ssh of ['build', 'kim@build.example', 'ssh://kim@build:2222', '[::1]'])
  check(
    `somebody may write ${ssh} after ssh`,
    { a: { ssh } },
    ssh === '[::1]' ? SSH : [{ ...PLAIN, ssh }],
  );

const FOLDER = '"folder" is a folder on the host: it begins with "/" or "~/", and has no "..".';
for (const folder of ['', 'x', '~', '~kim/x', '/a/../b', '~/..', '/a\nb', '/a\0', 7])
  check(`${JSON.stringify(folder)} is no folder`, { a: { folder } }, FOLDER);
check('a folder may have blanks', { a: { folder: "~/it's mine" } }, [
  { ...PLAIN, folder: "~/it's mine" },
]);

check(
  'files get there in one of three ways',
  { a: { sync: 'scp' } },
  '"sync" is one of none, git, rsync.',
);
for (const slots of [0, -1, 1.5, 1025, '4', null])
  check(
    `${JSON.stringify(slots)} is no number of tasks`,
    { a: { slots } },
    '"slots" is a number of tasks from 1 to 1024.',
  );
const CAPABILITIES = '"capabilities" is a list of words such as "gpu" or "os:linux".';
for (const capabilities of ['gpu', [''], ['a b'], [7], ['x'.repeat(65)]])
  check(
    `${JSON.stringify(capabilities)} are no capabilities`,
    { a: { capabilities } },
    CAPABILITIES,
  );

check('a host may be gone for ever', { a: { gone: true } }, [{ ...PLAIN, isGone: true }]);
check('or not', { a: { gone: false } }, [PLAIN]);
for (const gone of ['yes', 1, null])
  check(`${JSON.stringify(gone)} is neither`, { a: { gone } }, '"gone" is true or false.');

test('what is wrong with one host leaves the others', () => {
  const { hosts, problems } = readHosts({ a: {}, b: { slots: 0 }, c: { sync: 'rsync' } });
  expect(hosts.map(({ name }) => name)).toEqual(['a', 'c']);
  expect(problems.map(({ host }) => host)).toEqual(['b']);
});

test('a name that every object has is a name', () => {
  const { hosts } = readHosts(JSON.parse('{ "constructor": {}, "toString": {} }'));
  expect(hosts.map(({ name }) => name)).toEqual(['constructor', 'toString']);
});
