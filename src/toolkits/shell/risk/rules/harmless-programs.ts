// Lists programs that read, print, build, test or create. A name that is neither here nor in a rule needs approval.
// exec-options.ts checks the arguments.
import { wordSet } from "../model.ts";

const SHELL = wordSet(
  ": true false help test [ [[ echo printf pwd dirs popd exit return break continue shift getopts let read wait jobs fg bg disown type times caller logout ulimit suspend sleep usleep clear reset yes seq expr factor tput stty tty select",
);

const TEXT = wordSet(
  "zipinfo fc-list fc-match quota uuidgen codespell typos pwgen ajv check-jsonschema jsonschema yamale mdl proselint lychee linkchecker htmltest hunspell aspell dict vd visidata jless jid jp qrencode procs dua choose cat head tail wc grep egrep fgrep zgrep pgrep pdfgrep ugrep git-grep cut tr nl fold fmt paste join column numfmt rev tac comm diff diff3 sdiff cmp colordiff icdiff difft md5sum md5 sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum cksum sum crc32 base32 basenc stat ls ll la l exa eza lsd dir vdir du dust df duf ncdu gdu basename dirname realpath readlink which whereis where whence locate mlocate plocate info apropos whatis tldr cheat zcat bzcat xzcat zstdcat lz4cat zless zmore more most pr expand unexpand look tsort hexdump hd od strings nm objdump readelf otool ldd size addr2line c++filt dwarfdump jc jo gron fx xsv qsv csvcut csvgrep csvlook csvstat csvjson csvsort htmlq pup xq tomlq toml hjson jsonlint yamllint json_pp json_verify xpath figlet cowsay lolcat fortune toilet banner cal ncal bc units ts pv lolcat ptx numsum datamash ascii enca uchardet chardet wdiff dwdiff rgrep ack-grep sift pt glow mdcat rich highlight pygmentize source-highlight sk peco dialog whiptail zenity notify-send say",
);

const MACHINE = wordSet(
  "nmon vnstat ifstat smem lstopo cpufetch systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt coredumpctl getfattr lslogins pldd mdfind mdls jcmd jinfo uname whoami id groups who w users finger lastlog logname uptime free vmstat iostat mpstat sar pidstat nproc lscpu lsmem lsblk lsusb lspci lsmod lshw lsns lsipc lslocks lsattr getfacl getconf getent getcap getsebool sestatus aa-status ps pstree top htop btop atop glances iotop iftop nethogs bmon nload netstat fping tracepath mtr blkid findmnt findfs locale printenv sw_vers system_profiler ioreg sensors acpi upower inxi neofetch fastfetch screenfetch hwinfo dmidecode rocm-smi nvtop gpustat nvcc runlevel pmap pidof pwdx lsb_release modinfo tzselect zdump ipcs namei pbcopy xclip xsel wl-copy clip xdpyinfo xrandr glxinfo vulkaninfo klist speedtest speedtest-cli ipcalc sipcalc getopt mktemp tempfile sync lsinitramfs vainfo xprop xwininfo",
);

const BUILD = wordSet(
  "eslint_d prettierd taze source-map-explorer webpack-bundle-analyzer speedscope clinic 0x swift-format bacon mdbook prettier rolldown tsd tstyche borp web-test-runner wtr api-extractor browserify watchify budo copyfiles cpx doctoc standard-version changelogen commit-and-tag-version npmignore auto-install-peers dts-bundle-generator downlevel-dts semver uuid nanoid semistandard snazzy tap-spec tap-dot faucet eclint editorconfig-checker ec bundlewatch openapi-ts oxnode docsify lite-server patch-package typesync tsconfig-paths tsc-alias tsc-watch vue-tsc astro-check api-documenter sort-imports organize-imports-cli purgecss lightningcss postcss-cli npm-packlist madge-cli wireit vp napi asc wasm-opt wasm2wat wat2wasm runmd coveralls tsc tsgo typescript biome oxlint oxfmt dprint standard xo jshint jslint tslint stylelint htmlhint markdownlint markdownlint-cli markdownlint-cli2 remark cspell alex vale textlint write-good knip depcheck madge dependency-cruiser depcruise size-limit bundlesize publint attw are-the-types-wrong vitest jest mocha ava tap tape jasmine karma uvu istanbul playwright cypress wdio testcafe nightwatch puppeteer backstop lighthouse lhci pa11y axe vite webpack webpack-cli webpack-dev-server rollup esbuild parcel swc babel rspack rsbuild farm tsup unbuild microbundle ncc pkg tsdown bunup snowpack metro next nuxt nuxi astro gatsby ng nest vue vue-cli-service react-scripts craco storybook start-storybook build-storybook sb svelte-kit svelte-check sv remix react-router qwik solid-start eleventy hexo hugo jekyll zola pelican docusaurus vuepress vitepress typedoc jsdoc compodoc documentation esdoc tailwindcss postcss sass lessc stylus uglifyjs terser cssnano svgo imagemin html-minifier http-server serve live-server browser-sync json-server lite-server mockserver prism msw lint-staged commitlint commitizen cz git-cz conventional-changelog auto-changelog plop hygen yo degit tiged npm-check npm-audit license-checker syncpack manypkg sort-package-json graphql-codegen gql-gen relay-compiler json2ts quicktype openapi-typescript orval wait-on wait-port node-gyp electron ionic",
);

const LANGUAGES = wordSet(
  "ansible-lint scrapy symfony k6 pyupgrade autoflake docformatter pdoc interrogate deptry pyinstrument mprof pyinstaller nuitka pytest py.test tox nox black isort flake8 pylint mypy pyright pyre ruff bandit autopep8 yapf pycodestyle pydocstyle vulture radon xenon safety pip-audit pip-licenses pipdeptree pydoc sphinx-build sphinx-quickstart sphinx-autobuild uvicorn gunicorn hypercorn daphne waitress-serve jupyter jupyter-lab jupyter-notebook nbconvert streamlit gradio marimo cookiecutter copier cython f2py virtualenv mkvirtualenv workon deactivate snakeviz scalene memray line_profiler kernprof mlflow tensorboard gcc g++ cc c++ strip objcopy clang clang++ cpp ld as ranlib gfortran rustc rustfmt clippy-driver rust-analyzer cargo-nextest wasm-pack wasm-bindgen trunk cross javac javadoc jar jps jstack jmap jstat jdeps jlink kotlinc ktlint detekt scalac scalafmt checkstyle spotbugs pmd swiftc swiftlint swiftformat xcodebuild xcode-select xctrace zig zls nim nimble shards hlint ormolu fourmolu stylish-haskell elm elm-test purs spago dune ocamlfind ocamlformat rebar3 erlc gleam clj-kondo gofmt goimports golangci-lint staticcheck gopls govulncheck gotestsum gofumpt revive errcheck ineffassign dlv air wire mockgen mockery sqlc templ ginkgo rubocop rspec standardrb brakeman reek erb_lint haml-lint slim-lint solargraph sorbet srb yard rdoc minitest guard puma unicorn thin rackup hivemind phpunit phpstan psalm php-cs-fixer phpcs phpcbf phpmd pest rector pint laravel phive perltidy perlcritic prove luacheck stylua busted shellcheck shfmt bats shellspec checkbashisms verilator iverilog ghdl yosys vvp arm-none-eabi-gcc avr-gcc ninja meson autoconf automake aclocal autoheader autoreconf libtoolize configure ctest cpack ccmake clang-format clang-tidy cppcheck cpplint include-what-you-use iwyu astyle indent gcov lcov gcovr genhtml doxygen dot neato circo fdp sfdp mmdc plantuml d2 bibtex biber tex asciidoctor asciidoc rst2html marp typst pdftotext pdfinfo pdfimages ffprobe mediainfo tesseract cwebp dwebp rsvg-convert bison flex yacc lex antlr4 tree-sitter swig nasm yasm gas qemu-img-info buildifier gazelle sourcery act actionlint zizmor yamlfmt taplo tombi sqlfluff sqlfmt pgformatter pg_isready mysqlshow createdb stern k9s kubent popeye kustomize jsonnet jsonnetfmt jb cue dhall ytt promtool logcli http-prompt grpcui newman hurl tavern schemathesis dredd redocly spectral",
);

const EVERYDAY = wordSet(
  "code cursor subl nano pico micro hx helix explorer xdot gitk tig lazygit lazydocker gitui delta diff-so-fancy git-cliff onefetch zoxide z j autojump fasd broot ranger yazi ssh-keyscan keychain tldextract atuin mcfly starship rtk todo.sh timew remind ledger hledger gcal dateutils.ddiff ddiff dadd strptime cowthink sl cmatrix hollywood pipes.sh asciiquarium",
);

const ALL: readonly ReadonlySet<string>[] = [SHELL, TEXT, MACHINE, BUILD, LANGUAGES, EVERYDAY];

export const isHarmlessProgram = (name: string): boolean =>
  ALL.some((set) => set.has(name) || set.has(name.replace(/-?\d+(?:\.\d+)*$/, "")));

// Names that are also well-known packages.
const PACKAGES = wordSet(
  "cowsay codespell typos ajv jsonschema yamale mdl proselint linkchecker htmltest jc xq tomlq json_pp pygmentize speedtest-cli glances csvlook csvcut csvstat csvjson csvgrep csvsort vd visidata ts",
);

/** True for a program of the system rather than of a package registry. */
export const isSystemProgram = (name: string): boolean =>
  (SHELL.has(name) || TEXT.has(name) || MACHINE.has(name) || CORE.has(name)) && !PACKAGES.has(name);
// System programs that have their own rules.
const CORE = wordSet(
  "git sort find fd sed awk gawk grep rg ssh scp curl wget tar unzip gzip make bash sh zsh sudo env xargs cp mv ln rm mkdir touch chmod less man date hostname kill docker kubectl psql mysql sqlite3 openssl gpg jq",
);

// Programs in these lists that can write files by an option or a keystroke, or that change something when they run.
const MAY_WRITE = wordSet(
  "codespell typos aspell hunspell ajv vd visidata dua ncdu gdu qrencode highlight pygmentize source-highlight xsv qsv htmlq jsonlint sdiff pbcopy xclip xsel wl-copy clip sync mktemp tempfile coredumpctl jcmd jinfo systemd-analyze nvcc sar reset stty lychee linkchecker htmltest dialog whiptail zenity tzselect speedtest speedtest-cli",
);

/** True for programs that only read and print, whatever paths they receive. */
export const isReadingProgram = (name: string): boolean =>
  (SHELL.has(name) || TEXT.has(name) || MACHINE.has(name)) && !MAY_WRITE.has(name);
