/* Families of values: databases, linters, regions. A choice without a subject has the slot of its
 * family. Add a family as a row here, or in the config of a mirror.
 *
 * A value may be of several families (Redis is a cache and a database); the words around it decide.
 * Cost: one lookup per word in a map of first words. */
#include "core/prose/prose_families.h"

#define V(lit)                                                                                     \
  { (lit), sizeof(lit) - 1 }

/* clang-format off */
static const hm_str api_style[] = {
  V("rest|restful|rest_api"), V("graphql"), V("grpc"), V("soap"), V("json_rpc"), V("xml_rpc"),
  V("odata"), V("trpc"), V("hateoas"),
};
static const hm_str database[] = {
  V("postgres|postgresql|pg"), V("mysql"), V("mariadb"), V("sqlite|sqlite3"), V("mongodb|mongo"),
  V("oracle"), V("sql_server|mssql"), V("cassandra"), V("dynamodb"), V("cockroachdb"),
  V("couchdb"), V("duckdb"), V("clickhouse"), V("neo4j"), V("firestore"), V("influxdb"),
  V("timescaledb"), V("scylladb"), V("snowflake"), V("bigquery"), V("elasticsearch"), V("redis"),
  V("planetscale"), V("supabase"), V("aurora"), V("redshift"),
};
static const hm_str cache_store[] = {
  V("redis"), V("memcached"), V("valkey"), V("varnish"), V("hazelcast"), V("dragonfly"),
  V("keydb"), V("caffeine"), V("ehcache"), V("infinispan"),
};
static const hm_str message_broker[] = {
  V("kafka|apache_kafka"), V("rabbitmq|rabbit"), V("nats"), V("pulsar"), V("redpanda"),
  V("sqs|amazon_sqs"), V("activemq"), V("zeromq"), V("mosquitto"), V("redis_streams"),
  V("pub_sub"), V("celery"), V("sidekiq"), V("kinesis"), V("nsq"), V("dramatiq"), V("bullmq"),
  V("eventbridge"),
  V("resque"), V("hangfire"), V("emqx"),
};
static const hm_str linter[] = {
  V("ruff"), V("flake8"), V("pylint"), V("eslint"), V("tslint"), V("golangci_lint"), V("clippy"),
  V("rubocop"), V("shellcheck"), V("stylelint"), V("biome"), V("clang_tidy"), V("cppcheck"),
  V("oxlint"), V("ktlint"), V("hadolint"), V("pycodestyle"),
};
static const hm_str formatter[] = {
  V("black"), V("prettier"), V("gofmt"), V("rustfmt"), V("clang_format"), V("yapf"), V("autopep8"),
  V("ruff"), V("biome"), V("dprint"), V("shfmt"), V("gofumpt"),
};
static const hm_str package_manager[] = {
  V("npm"), V("pnpm"), V("yarn"), V("bun"), V("pip"), V("poetry"), V("uv"), V("pipenv"),
  V("conda"), V("cargo"), V("maven"), V("gradle"), V("bundler"), V("composer"), V("nuget"),
  V("homebrew|brew"), V("apt"), V("conan"), V("vcpkg"), V("pdm"), V("hatch"),
};
static const hm_str language[] = {
  V("python"), V("typescript"), V("javascript"), V("go|golang"), V("rust"), V("java"), V("kotlin"),
  V("swift"), V("ruby"), V("php"), V("elixir"), V("erlang"), V("scala"), V("haskell"), V("elm"),
  V("c"), V("c++"), V("c#"), V("zig"), V("lua"), V("perl"), V("clojure"), V("dart"), V("julia"),
  V("r"), V("bash"), V("ocaml"), V("fortran"), V("cobol"),
};
static const hm_str framework[] = {
  V("react"), V("svelte|sveltekit"), V("vue|vue_js"), V("angular"), V("next_js"), V("nuxt"),
  V("remix"), V("astro"), V("solid_js"), V("preact"), V("ember"), V("django"), V("flask"),
  V("fastapi"), V("rails|ruby_on_rails"), V("laravel"), V("symfony"), V("spring|spring_boot"),
  V("express|express_js"), V("nestjs"), V("phoenix"), V("gin"), V("echo"), V("actix"), V("axum"),
  V("asp_net"), V("htmx"), V("qwik"), V("fastify"), V("starlette"), V("tornado"), V("electron"),
  V("tauri"), V("flutter"), V("react_native"),
};
static const hm_str test_runner[] = {
  V("pytest"), V("unittest"), V("jest"), V("vitest"), V("mocha"), V("junit"), V("rspec"),
  V("cypress"), V("playwright"), V("selenium"), V("nose"), V("testng"), V("cmocka"),
  V("gtest|googletest"), V("karma"), V("jasmine"), V("ava"), V("phpunit"), V("minitest"),
  V("catch2"),
};
static const hm_str ci_system[] = {
  V("jenkins"), V("github_actions"), V("gitlab_ci"), V("circleci"), V("travis|travis_ci"),
  V("buildkite"), V("teamcity"), V("drone"), V("azure_pipelines"), V("bamboo"), V("concourse"),
  V("tekton"), V("argo_workflows"), V("woodpecker"), V("bitbucket_pipelines"),
};
static const hm_str cloud_provider[] = {
  V("aws|amazon_web_services"), V("google_cloud|gcp"), V("azure|microsoft_azure"),
  V("digitalocean"), V("hetzner"), V("linode"), V("ovh"), V("cloudflare"), V("oracle_cloud"),
  V("scaleway"), V("vultr"), V("alibaba_cloud"), V("heroku"), V("fly_io"), V("vercel"),
  V("netlify"), V("render"), V("railway"),
};
static const hm_str region[] = {
  V("eu_west_1"), V("eu_west_2"), V("eu_west_3"), V("eu_central_1"), V("eu_north_1"),
  V("us_east_1"), V("us_east_2"), V("us_west_1"), V("us_west_2"), V("ap_south_1"),
  V("ap_southeast_1"), V("ap_southeast_2"), V("ap_northeast_1"), V("sa_east_1"), V("ca_central_1"),
  V("europe_west1"), V("europe_west4"), V("us_central1"), V("us_east1"), V("westeurope"),
  V("northeurope"), V("eastus"), V("westus2"), V("nbg1"), V("fsn1"), V("fra1"), V("ams3"),
  V("nyc3"),
};
static const hm_str operating_system[] = {
  V("linux"), V("macos|mac_os"), V("windows"), V("ubuntu"), V("debian"), V("fedora"),
  V("alpine|alpine_linux"), V("centos"), V("rhel"), V("arch|arch_linux"), V("freebsd"),
  V("openbsd"), V("nixos"), V("android"), V("ios"), V("rocky_linux"), V("amazon_linux"),
  V("chromeos"), V("opensuse"),
};
static const hm_str web_server[] = {
  V("nginx"), V("caddy"), V("apache|apache_httpd|httpd"), V("traefik"), V("haproxy"), V("envoy"),
  V("lighttpd"), V("iis"), V("gunicorn"), V("uvicorn"), V("tomcat"), V("puma"), V("jetty"),
};
static const hm_str orchestrator[] = {
  V("kubernetes|k8s"), V("nomad"), V("docker_swarm"), V("ecs"), V("openshift"), V("mesos"),
  V("docker_compose"), V("eks"), V("gke"), V("aks"), V("k3s"), V("fargate"),
};
static const hm_str auth_method[] = {
  V("jwt|jwts"), V("oauth|oauth2|oauth_2_0"), V("saml"), V("oidc"), V("basic_auth"), V("api_keys"),
  V("session_cookies"), V("mtls"), V("ldap"), V("kerberos"), V("passkeys"), V("webauthn"),
  V("magic_links"),
};
static const hm_str authentication_provider[] = {
  V("keycloak"), V("auth0"), V("okta"), V("cognito"), V("firebase_auth"), V("clerk"),
  V("authentik"), V("authelia"), V("ory"), V("opa"), V("entra_id"), V("ping_identity"),
  V("workos"),
};
static const hm_str data_format[] = {
  V("json"), V("xml"), V("yaml"), V("csv"), V("protobuf|protocol_buffers"), V("avro"),
  V("msgpack|messagepack"), V("toml"), V("parquet"), V("ndjson|json_lines"), V("thrift"),
  V("cbor"), V("bson"), V("tsv"), V("html"), V("markdown"), V("pdf"), V("arrow"), V("orc"),
  V("ini"), V("edl"),
};
static const hm_str file_format[] = {
  V("png"), V("jpeg|jpg"), V("gif"), V("webp"), V("svg"), V("tiff"), V("avif"), V("mp4"),
  V("webm"), V("mp3"), V("wav"), V("pdf"), V("docx"), V("zip"), V("heic"), V("bmp"), V("flac"),
};
static const hm_str license[] = {
  V("mit|mit_license"), V("apache_2_0|apache_2|apache_license_2_0"), V("gpl|gpl_3_0|gplv3"),
  V("gplv2|gpl_2_0"), V("lgpl"), V("agpl|agpl_3_0|agplv3"), V("bsd"), V("bsd_3_clause"),
  V("bsd_2_clause"), V("mpl|mpl_2_0"), V("isc"), V("unlicense"), V("cc0"), V("bsl"),
  V("proprietary"), V("eupl"),
};
static const hm_str merge_strategy[] = {
  V("squash|squash_merge|squash_and_merge|squash_merges|squash_merging"),
  V("rebase|rebase_and_merge|rebasing|rebase_merge|rebase_merges|rebase_merging"),
  V("merge_commit|merge_commits"), V("fast_forward"),
};
static const hm_str branching_model[] = {
  V("trunk_based|trunk_based_development"), V("gitflow|git_flow"), V("github_flow"),
  V("release_branches"), V("feature_branches"),
};
static const hm_str editor[] = {
  V("vim"), V("emacs"), V("neovim|nvim"), V("vs_code|vscode|visual_studio_code"),
  V("intellij|intellij_idea"), V("pycharm"), V("sublime_text"), V("nano"), V("zed"), V("helix"),
  V("cursor"), V("xcode"), V("webstorm"), V("goland"), V("android_studio"),
};
static const hm_str logging[] = {
  V("loki"), V("elasticsearch"), V("splunk"), V("cloudwatch"), V("graylog"), V("papertrail"),
  V("fluentd"), V("logstash"), V("datadog"), V("syslog"), V("structlog"), V("logback"), V("log4j"),
  V("fluent_bit"), V("filebeat"), V("promtail"), V("rsyslog"),
  V("winston"), V("pino"), V("serilog"), V("zap"), V("opensearch"),
};
static const hm_str monitoring[] = {
  V("prometheus"), V("datadog"), V("grafana"), V("new_relic"), V("nagios"), V("zabbix"),
  V("cloudwatch"), V("sentry"), V("influxdb"), V("graphite"), V("honeycomb"), V("dynatrace"),
  V("victoriametrics"), V("statsd"), V("checkmk"),
};
static const hm_str bundler[] = {
  V("webpack"), V("vite"), V("rollup"), V("esbuild"), V("parcel"), V("turbopack"), V("rspack"),
  V("snowpack"), V("browserify"),
};
static const hm_str orm[] = {
  V("sqlalchemy"), V("django_orm"), V("prisma"), V("typeorm"), V("sequelize"), V("hibernate"),
  V("active_record|activerecord"), V("drizzle"), V("gorm"), V("peewee"), V("entity_framework"),
  V("diesel"), V("ecto"), V("doctrine"), V("mikroorm"), V("tortoise"), V("jooq"),
};
static const hm_str material[] = {
  V("peek"), V("ptfe"), V("gf_ptfe"), V("invar|invar_36"), V("super_invar"), V("zerodur"),
  V("aluminium|aluminum"),
  V("steel"), V("stainless_steel"), V("titanium"), V("brass"), V("carbon_fiber|carbon_fibre|cfrp"),
  V("abs"),
  V("pla"), V("petg"), V("nylon"), V("delrin|pom"), V("fused_silica"), V("borosilicate"), V("ule"),
  V("copper"), V("sic|silicon_carbide"), V("kevlar"), V("granite"), V("quartz"), V("bronze"),
  V("polycarbonate"), V("teflon"), V("viton"), V("plywood"), V("oak"), V("fr4"), V("pvc"),
  V("acrylic|pmma"), V("sapphire"), V("kapton"), V("macor"), V("bk7|n_bk7"), V("tungsten"),
  V("molybdenum"), V("beryllium"), V("6061_t6|6061"), V("7075_t6|7075"), V("304_stainless_steel"),
  V("316l|316l_stainless_steel"), V("plexiglass"), V("linoleum"), V("walnut"), V("bamboo"),
};
static const hm_str infrastructure_tool[] = {
  V("terraform"), V("pulumi"), V("ansible"), V("cloudformation"), V("chef"), V("puppet"),
  V("saltstack"), V("opentofu"), V("cdk|aws_cdk"), V("helm"), V("crossplane"), V("bicep"),
};
static const hm_str indentation[] = {
  V("tabs"), V("spaces"), V("2_spaces|two_spaces|2_space|two_space"),
  V("4_spaces|four_spaces|4_space|four_space"),
};
static const hm_str time_zone[] = {
  V("utc"), V("gmt"), V("local_time"), V("cet"), V("est"), V("pst"), V("cest"), V("pdt"), V("edt"),
  V("europe_berlin"), V("america_new_york"),
};
static const hm_str email_provider[] = {
  V("ses|amazon_ses|aws_ses"), V("mailgun"), V("sendgrid"), V("postmark"), V("mailchimp"),
  V("sparkpost"), V("brevo"), V("resend"), V("twilio"), V("vonage"), V("messagebird"),
};
static const hm_str secret_store[] = {
  V("vault|hashicorp_vault"), V("aws_secrets_manager|secrets_manager"), V("1password"), V("sops"),
  V("doppler"), V("azure_key_vault|key_vault"), V("bitwarden"), V("kms"), V("infisical"),
};
static const hm_str object_store[] = {
  V("s3|amazon_s3"), V("gcs|google_cloud_storage"), V("minio"),
  V("azure_blob_storage|blob_storage"), V("r2|cloudflare_r2"), V("ceph"), V("backblaze|b2"),
};
static const hm_str payment_provider[] = {
  V("stripe"), V("adyen"), V("paypal"), V("braintree"), V("square"), V("mollie"), V("klarna"),
  V("paddle"), V("razorpay"),
};
static const hm_str version_control[] = {
  V("git"), V("mercurial"), V("svn|subversion"), V("perforce"), V("jujutsu"),
};
static const hm_str code_host[] = {
  V("github"), V("gitlab"), V("bitbucket"), V("gitea"), V("codeberg"), V("forgejo"),
  V("azure_devops"), V("sourcehut"),
};
static const hm_str issue_tracker[] = {
  V("jira"), V("linear"), V("trello"), V("asana"), V("youtrack"), V("redmine"), V("github_issues"),
  V("bugzilla"), V("shortcut"), V("clickup"),
};
static const hm_str docs_tool[] = {
  V("sphinx"), V("mkdocs"), V("docusaurus"), V("hugo"), V("jekyll"), V("doxygen"), V("gitbook"),
  V("vitepress"), V("asciidoctor"), V("mdbook"),
};
static const hm_str search_engine[] = {
  V("elasticsearch"), V("opensearch"), V("solr"), V("algolia"), V("meilisearch"), V("typesense"),
  V("lucene"), V("tantivy"),
};
static const hm_str compression[] = {
  V("gzip"), V("zstd|zstandard"), V("brotli"), V("lz4"), V("snappy"), V("xz"), V("bzip2"),
  V("deflate"),
};
static const hm_str hash_algorithm[] = {
  V("bcrypt"), V("argon2|argon2id"), V("scrypt"), V("sha_256|sha256"), V("md5"), V("sha_1|sha1"),
  V("pbkdf2"), V("blake3"), V("sha_512|sha512"),
};
static const hm_str state_library[] = {
  V("redux"), V("zustand"), V("mobx"), V("pinia"), V("vuex"), V("recoil"), V("jotai"), V("xstate"),
};
static const hm_str style_library[] = {
  V("tailwind|tailwind_css|tailwindcss"), V("bootstrap"), V("bulma"), V("material_ui|mui"),
  V("chakra_ui"), V("styled_components"), V("sass"), V("emotion"),
};
static const hm_str runtime[] = {
  V("node|node_js|nodejs"), V("deno"), V("bun"), V("jvm"), V("cpython"), V("pypy"), V("graalvm"),
};
static const hm_str container_runtime[] = {
  V("docker"), V("podman"), V("containerd"), V("lxc"), V("cri_o"), V("buildah"),
};
static const hm_str compiler[] = {
  V("gcc"), V("clang"), V("msvc"), V("tsc"), V("icc"), V("javac"), V("rustc"), V("tcc"), V("swc"),
  V("babel"),
};
static const hm_str build_tool[] = {
  V("make"), V("cmake"), V("bazel"), V("meson"), V("ninja"), V("gradle"), V("maven"), V("scons"),
  V("buck"), V("buck2"), V("pants"), V("earthly"), V("nx"), V("turborepo"), V("sbt"), V("just"),
};
static const hm_str feature_flags[] = {
  V("launchdarkly"), V("unleash"), V("flagsmith"), V("split_io"), V("flipt"), V("growthbook"),
};
static const hm_str migration_tool[] = {
  V("alembic"), V("flyway"), V("liquibase"), V("dbmate"), V("golang_migrate"), V("sqitch"),
  V("knex"),
};
static const hm_str deploy_tool[] = {
  V("argocd|argo_cd"), V("fluxcd|flux_cd"), V("spinnaker"), V("capistrano"), V("octopus_deploy"),
  V("kamal"), V("skaffold"),
};
static const hm_str workflow_engine[] = {
  V("airflow|apache_airflow"), V("temporal"), V("dagster"), V("prefect"), V("luigi"), V("n8n"),
  V("camunda"),
};
static const hm_str container_registry[] = {
  V("ghcr|ghcr_io"), V("ecr|amazon_ecr"), V("docker_hub|dockerhub"), V("gcr|gcr_io"),
  V("quay|quay_io"), V("artifact_registry"),
};
static const hm_str vector_store[] = {
  V("pinecone"), V("qdrant"), V("weaviate"), V("milvus"), V("chromadb"), V("pgvector"), V("faiss"),
  V("lancedb"), V("vespa"),
};
static const hm_str tracing[] = {
  V("jaeger"), V("zipkin"), V("opentelemetry|otel"), V("x_ray"),
};
static const hm_str analytics[] = {
  V("posthog"), V("mixpanel"), V("google_analytics"), V("matomo"), V("snowplow"),
};
static const hm_str vpn[] = {
  V("wireguard"), V("openvpn"), V("tailscale"), V("zerotier"), V("ipsec"),
};
static const hm_str dns_provider[] = {
  V("route_53|route53|aws_route_53"), V("dnsimple"), V("ns1"), V("cloud_dns"), V("dnsmasq"),
};
static const hm_str certificate_authority[] = {
  V("let_s_encrypt|letsencrypt|lets_encrypt"), V("digicert"), V("sectigo"), V("globalsign"),
  V("zerossl"),
};
static const hm_str cdn[] = {
  V("fastly"), V("akamai"), V("cloudfront|amazon_cloudfront"), V("cloudflare"),
  V("bunny_net"), V("keycdn"),
};
static const hm_str ml_framework[] = {
  V("pytorch"), V("tensorflow"), V("jax"), V("keras"), V("mxnet"), V("scikit_learn|sklearn"),
};
static const hm_str cad_tool[] = {
  V("solidworks"), V("fusion_360"), V("kicad"), V("altium|altium_designer"), V("freecad"),
  V("onshape"), V("autocad"), V("catia"),
};
static const hm_str versioning[] = {
  V("semver|semantic_versioning"), V("calver|calendar_versioning"),
};
static const hm_str type_checker[] = {
  V("mypy"), V("pyright"), V("pyre"), V("flow"), V("pytype"),
};

#define F(name) { V(#name), name, HM_COUNT(name) }
static const hm_family shipped[] = {
  F(api_style), F(database), F(cache_store), F(message_broker), F(linter), F(formatter),
  F(package_manager), F(language), F(framework), F(test_runner), F(ci_system), F(cloud_provider),
  F(region), F(operating_system), F(web_server), F(orchestrator), F(auth_method),
  F(authentication_provider), F(data_format), F(file_format), F(license), F(merge_strategy),
  F(branching_model), F(editor), F(logging), F(monitoring), F(bundler), F(orm), F(material),
  F(infrastructure_tool), F(indentation), F(time_zone), F(email_provider), F(secret_store),
  F(object_store), F(payment_provider), F(version_control), F(code_host), F(issue_tracker),
  F(docs_tool), F(search_engine), F(compression), F(hash_algorithm), F(state_library),
  F(style_library), F(runtime), F(container_runtime), F(compiler), F(build_tool),
  F(feature_flags), F(type_checker), F(migration_tool), F(deploy_tool), F(workflow_engine),
  F(container_registry), F(vector_store), F(tracing), F(analytics), F(vpn),
  F(dns_provider), F(certificate_authority), F(cdn), F(ml_framework), F(cad_tool),
  F(versioning),
};
/* clang-format on */
static const hm_families all = { shipped, HM_COUNT(shipped), NULL };

const hm_families *hm_families_shipped(void) { return &all; }
