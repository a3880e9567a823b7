import { describe, expect, test } from 'vitest'
import type { FileLookup } from '../../language.ts'
import { readLanguages } from './language-data.ts'
import { compileResolver } from './resolve.ts'

/** A workspace of the given files; those with text are manifests. */
function lookup(files: Record<string, string>): FileLookup {
  const paths = Object.keys(files)
  const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
  return {
    has: (path) => path in files,
    filesIn: (folder) => paths.filter((path) => folderOf(path) === folder).map(baseOf),
    named: (base) => paths.filter((path) => baseOf(path) === base),
    text: (path) => files[path],
  }
}

function workspace(paths: string, manifests: Record<string, string> = {}): FileLookup {
  return lookup({
    ...Object.fromEntries(
      paths
        .trim()
        .split(/\s+/u)
        .map((path) => [path, '']),
    ),
    ...manifests,
  })
}

const resolvers = new Map(readLanguages().map((data) => [data.id, compileResolver(data)]))

function resolve(
  language: string,
  files: FileLookup,
  from: string,
  specs: string[],
): Record<string, readonly string[]> {
  return Object.fromEntries(specs.map((spec) => [spec, resolvers.get(language)!(spec, from, files)]))
}

describe('an import finds the files of the workspace it means, and nothing else', () => {
  test('Python: relative dots, packages, source roots, and a sibling that hides no library', () => {
    const files = workspace(`app/__init__.py app/main.py app/logging.py app/core/__init__.py app/core/models.py
      src/tool/cli.py tool_test.py app/core/stubs.pyi`)
    expect(
      resolve('python', files, 'app/core/models.py', [
        '.',
        '.stubs',
        '..',
        '..main',
        '...',
        '....x',
        'app.main',
        'app.core',
        'tool.cli',
        'logging',
        'os.path',
      ]),
    ).toEqual({
      '.': ['app/core/__init__.py'],
      '.stubs': ['app/core/stubs.pyi'],
      '..': ['app/__init__.py'],
      '..main': ['app/main.py'],
      '...': [],
      '....x': [],
      'app.main': ['app/main.py'],
      'app.core': ['app/core/__init__.py'],
      'tool.cli': ['src/tool/cli.py'],
      logging: [],
      'os.path': [],
    })
  })

  test('Go: the module of go.mod, all files of the package, and no name that only begins alike', () => {
    const files = workspace('main.go log/log.go log/more.go log/log_test.go log/notes.md errors/e.go tools/x/x.go', {
      'go.mod': 'module example.com/app\n\ngo 1.22\n',
      'tools/go.mod': '// x\nmodule "example.com/tools/v2"\n',
    })
    expect(
      resolve('go', files, 'main.go', [
        'example.com/app',
        'example.com/app/log',
        'example.com/tools/v2/x',
        'example.com/application/log',
        'github.com/pkg/errors',
        'log',
      ]),
    ).toEqual({
      'example.com/app': ['main.go'],
      'example.com/app/log': ['log/log.go', 'log/more.go'],
      'example.com/tools/v2/x': ['tools/x/x.go'],
      'example.com/application/log': [],
      'github.com/pkg/errors': [],
      log: [],
    })
  })

  test('Rust: crate, super and self paths end at the file that holds the item; mod finds its file; other crates by name', () => {
    const files = workspace(
      'core/src/lib.rs core/src/ast.rs core/src/parse/mod.rs core/src/parse/lexer.rs cli/src/main.rs cli/src/args.rs',
      {
        'core/Cargo.toml': '[package]\nname = "my-core"\n',
        'cli/Cargo.toml': '[package]\nname = "cli"\n',
      },
    )
    expect(
      resolve('rust', files, 'core/src/parse/lexer.rs', [
        'crate::ast::Node',
        'crate::parse::*',
        'crate::Error',
        'super::helper',
        'super::super::ast::Node',
        'my_core::ast',
        'std::fmt',
      ]),
    ).toEqual({
      'crate::ast::Node': ['core/src/ast.rs'],
      'crate::parse::*': ['core/src/parse/mod.rs'],
      'crate::Error': ['core/src/lib.rs'],
      'super::helper': ['core/src/parse/mod.rs'],
      'super::super::ast::Node': ['core/src/ast.rs'],
      'my_core::ast': ['core/src/ast.rs'],
      'std::fmt': [],
    })
    expect(resolve('rust', files, 'core/src/parse/mod.rs', ['lexer', 'self::lexer::Token', 'missing'])).toEqual({
      lexer: ['core/src/parse/lexer.rs'],
      'self::lexer::Token': ['core/src/parse/lexer.rs'],
      missing: [],
    })
    expect(resolve('rust', files, 'cli/src/main.rs', ['args', 'my_core::parse::lexer::Token'])).toEqual({
      args: ['cli/src/args.rs'],
      'my_core::parse::lexer::Token': ['core/src/parse/lexer.rs'],
    })
  })

  test('Java: a class by its package path, a static member by its class, a package by its folder', () => {
    const files = workspace(`src/main/java/com/acme/Shop.java src/main/java/com/acme/util/Text.java
      src/main/java/com/acme/util/More.java src/test/java/com/acme/ShopTest.java other/Shop.java`)
    expect(
      resolve('java', files, 'src/test/java/com/acme/ShopTest.java', [
        'com.acme.Shop',
        'com.acme.util.Text.trim',
        'com.acme.Shop.State.OPEN',
        'com.acme.util.*',
        'java.util.List',
        'java.util.*',
      ]),
    ).toEqual({
      'com.acme.Shop': ['src/main/java/com/acme/Shop.java'],
      'com.acme.util.Text.trim': ['src/main/java/com/acme/util/Text.java'],
      'com.acme.Shop.State.OPEN': ['src/main/java/com/acme/Shop.java'],
      'com.acme.util.*': ['src/main/java/com/acme/util/Text.java', 'src/main/java/com/acme/util/More.java'],
      'java.util.List': [],
      'java.util.*': [],
    })
  })

  test('C and C++: beside the file first, then anywhere; angle brackets only below an include folder', () => {
    const files = workspace('src/ring.c src/ring.h include/ring/ring.h lib/deep/str.h lib/string.h')
    const expected = {
      'ring.h': ['src/ring.h'],
      'ring/ring.h': ['include/ring/ring.h'],
      'deep/str.h': ['lib/deep/str.h'],
      '../lib/string.h': ['lib/string.h'],
      '<ring/ring.h>': ['include/ring/ring.h'],
      '<string.h>': [],
    }
    expect(resolve('c', files, 'src/ring.c', Object.keys(expected))).toEqual(expected)
    expect(resolve('cpp', files, 'src/ring.c', Object.keys(expected))).toEqual(expected)
  })

  test('C#: a namespace is a folder, with or without the name of the project before it', () => {
    const files = workspace('src/Store/Orders/Order.cs src/Store/Orders/Line.cs src/Store/Program.cs')
    expect(resolve('csharp', files, 'src/Store/Program.cs', ['Acme.Store.Orders', 'System.Text'])).toEqual({
      'Acme.Store.Orders': ['src/Store/Orders/Order.cs', 'src/Store/Orders/Line.cs'],
      'System.Text': [],
    })
  })

  test('Ruby: relative to the file, or below a lib folder', () => {
    const files = workspace('lib/acme.rb lib/acme/json.rb lib/acme/shop.rb bin/run.rb')
    expect(resolve('ruby', files, 'lib/acme/shop.rb', ['./json', '../acme', 'acme/json', 'json'])).toEqual({
      './json': ['lib/acme/json.rb'],
      '../acme': ['lib/acme.rb'],
      'acme/json': ['lib/acme/json.rb'],
      json: [],
    })
  })

  test('PHP: PSR-4 prefixes of composer.json, a class file anywhere, and include paths', () => {
    const files = workspace('src/Model/Order.php tests/OrderTest.php inc/helpers.php legacy/Old/Thing.php', {
      'composer.json':
        '{"autoload":{"psr-4":{"Acme\\\\":"src/"}},"autoload-dev":{"psr-4":{"Acme\\\\Test\\\\":["tests/"]}}}',
    })
    expect(
      resolve('php', files, 'inc/helpers.php', [
        'Acme\\Model\\Order',
        'Acme\\Test\\OrderTest',
        'Acme\\Model\\Order\\helper',
        'Old\\Thing',
        'Psr\\Log',
        '/../src/Model/Order.php',
        'helpers.php',
      ]),
    ).toEqual({
      'Acme\\Model\\Order': ['src/Model/Order.php'],
      'Acme\\Test\\OrderTest': ['tests/OrderTest.php'],
      'Acme\\Model\\Order\\helper': ['src/Model/Order.php'],
      'Old\\Thing': ['legacy/Old/Thing.php'],
      'Psr\\Log': [],
      '/../src/Model/Order.php': ['src/Model/Order.php'],
      'helpers.php': ['inc/helpers.php'],
    })
  })

  test('Bash, CSS and HTML: relative paths, site roots, page folders', () => {
    const files = workspace(`bin/run.sh lib/log.sh css/site.css css/base/reset.css img/a.png index.html about.html
      docs/index.md docs/setup.md docs/ref/README.md public/logo.svg README.md`)
    expect(
      resolve('bash', files, 'bin/run.sh', ['/../lib/log.sh', '../lib/log.sh', '/lib/log.sh', './none.sh']),
    ).toEqual({
      '/../lib/log.sh': ['lib/log.sh'],
      '../lib/log.sh': ['lib/log.sh'],
      '/lib/log.sh': ['lib/log.sh'],
      './none.sh': [],
    })
    expect(
      resolve('css', files, 'css/site.css', ['base/reset.css', '../img/a.png?v=1', '/img/a.png', '../../x.css']),
    ).toEqual({
      'base/reset.css': ['css/base/reset.css'],
      '../img/a.png?v=1': ['img/a.png'],
      '/img/a.png': ['img/a.png'],
      '../../x.css': [],
    })
    expect(resolve('html', files, 'index.html', ['/about', 'about.html#x', '/logo.svg', '/'])).toEqual({
      '/about': ['about.html'],
      'about.html#x': ['about.html'],
      '/logo.svg': ['public/logo.svg'],
      '/': ['index.html'],
    })
  })
})
